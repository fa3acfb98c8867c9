package hashtable_test

import (
	"context"
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// ending is a context that ends when it has been looked at so many times.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestEnded: a multimap of many keys looks at the context now and then while it is frozen or built, and while
// its keys are read, and gives up when that has ended.
func TestEnded(t *testing.T) {
	const rows = 300_000
	v := vector.New(vector.Of(vector.BigInt), rows)
	for i := range v.I64 {
		v.I64[i] = int64(i) * 1000
	}
	key := hashtable.Key{Type: v.Type}
	var m *hashtable.Multimap
	grow := func(ctx context.Context) error {
		m = hashtable.NewMultimap([]hashtable.Key{key, key}, hashtable.NewSeed(), false)
		if err := m.Add([]*vector.Vector{v, v}, &vector.Batch{Len: rows}); err != nil {
			t.Fatal(err)
		}
		return m.Freeze(ctx)
	}
	chunks := []*vector.Vector{v, v}
	atOnce := func(ctx context.Context) (err error) {
		m, err = hashtable.BuildMultimap(ctx, []hashtable.Key{key}, [][]*vector.Vector{chunks}, hashtable.NewSeed(), 1)
		return err
	}
	kept := rowstore.New([]vector.Type{v.Type})
	if err := kept.Append([]*vector.Vector{v}, nil, rows); err != nil {
		t.Fatal(err)
	}
	var parts []*vector.Vector
	for i := range kept.Chunks() {
		var b vector.Batch
		kept.Chunk(i, &b)
		parts = append(parts, b.Cols[0])
	}
	hashed := func(ctx context.Context) (err error) {
		m, err = hashtable.BuildMultimap(ctx, []hashtable.Key{key, key}, [][]*vector.Vector{parts, parts}, hashtable.NewSeed(), 1)
		return err
	}
	for _, build := range []func(context.Context) error{grow, atOnce, hashed} {
		if err := build(context.Background()); err != nil {
			t.Fatal(err)
		}
		seen := 0
		read := func(ctx context.Context) error {
			return m.EachKeys(ctx, func(_ []*vector.Vector, n int) { seen += n })
		}
		if err := read(context.Background()); err != nil || m.Distinct() != rows || seen != rows {
			t.Errorf("%d keys, %d were read: %v", m.Distinct(), seen, err)
		}
		for left := range 4 {
			seen = 0
			if err := read(&ending{context.Background(), left}); !errors.Is(err, context.Canceled) || seen > left*vector.BatchSize {
				t.Errorf("%d keys were read after %d looks: %v", seen, left, err)
			}
		}
		for left := range 4 {
			if err := build(&ending{context.Background(), left}); !errors.Is(err, context.Canceled) {
				t.Errorf("%v after %d looks", err, left)
			}
		}
	}
}
