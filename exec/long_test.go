package exec_test

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// longTexts is a stream of batches of one long text.
type longTexts struct {
	made, left atomic.Int64
	out        vector.Batch
}

func (l *longTexts) Schema() vector.Schema {
	return vector.Schema{{Name: "t", Type: vector.Of(vector.Varchar)}}
}
func (l *longTexts) Close() error { return nil }

func (l *longTexts) Next(context.Context) (*vector.Batch, error) {
	if l.left.Add(-1) < 0 {
		return nil, nil
	}
	l.made.Add(1)
	l.out = vector.Batch{Len: 1, Cols: []*vector.Vector{vector.NewConstant(longText, 1)}}
	return &l.out, nil
}

// TestLongTextsWait: under a memory limit workers are not ahead of the consumer of long texts.
func TestLongTextsWait(t *testing.T) {
	leaktest.Check(t)
	env := exec.Env{Budget: quota.New(1 << 20)}
	for name, build := range map[string]func(in []exec.Operator) exec.Operator{
		"gather": env.Gather,
		"ordered": func(in []exec.Operator) exec.Operator {
			p := &places{passed: map[int]bool{}, changed: make(chan struct{}), sizes: make([]int, len(in))}
			var at []exec.Placed
			for i, op := range in {
				one := &onePlace{Operator: op, place: i}
				in[i], at = one, append(at, one)
			}
			return exec.Ordered{Env: env, Order: p}.Gather(in, at)
		},
	} {
		source, none := &longTexts{}, &longTexts{}
		source.left.Store(10)
		op := build([]exec.Operator{source, none})
		for i := range int64(10) {
			if b, err := op.Next(context.Background()); err != nil || b == nil {
				t.Fatal(name, b, err)
			}
			for range 1000 {
				runtime.Gosched()
			}
			if made := source.made.Load(); made != i+1 {
				t.Errorf("%s: %d batches were made when the consumer had %d", name, made, i+1)
			}
		}
		if b, err := op.Next(context.Background()); b != nil || err != nil {
			t.Error(name, b, err)
		}
		if err := op.Close(); err != nil {
			t.Error(err)
		}
	}
}
