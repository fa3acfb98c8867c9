package column

import (
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// TestInterrupt: reading two billion values stored in a few bytes stops when the query
// is canceled, and that is not damage.
func TestInterrupt(t *testing.T) {
	const n = 1<<31 - 1
	def := run(n, 1)
	h := fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: n, NumRows: n, Encoding: fileformat.RLEDictionary, DefLength: int32(len(def))}
	c := &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: n, Pages: []chunktest.Page{
		chunktest.Dictionary(1, chunktest.Int32s(42)), chunktest.Of(h, chunktest.Join(def, []byte{8}, run(n, 0))),
	}}
	calls, canceled := 0, errors.New("canceled")
	r := newReader(t, c, Options{Interrupt: func() error {
		if calls++; calls > 2 {
			return canceled
		}
		return nil
	}})
	_ = r.Skip(n - 1)
	var corrupt *errs.CorruptError
	if _, err := r.Read(1); !errors.Is(err, canceled) || errors.As(err, &corrupt) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// TestInterruptedList: so does reading one list of many elements.
func TestInterruptedList(t *testing.T) {
	const n = 100_000
	rep, def := chunktest.Join(run(1, 0), run(n-1, 1)), run(n, 1)
	h := fileformat.PageHeader{Type: fileformat.DataPageV2, NumValues: n, NumRows: 1, Encoding: fileformat.Plain, RepLength: int32(len(rep)), DefLength: int32(len(def))}
	c := &chunktest.Chunk{Leaf: chunktest.RepeatedInt, Rows: 1, Pages: []chunktest.Page{chunktest.Of(h, chunktest.Join(rep, def, make([]byte, 4*n)))}}
	calls, canceled := 0, errors.New("canceled")
	r := newReader(t, c, Options{Interrupt: func() error {
		if calls++; calls > 10 {
			return canceled
		}
		return nil
	}})
	var corrupt *errs.CorruptError
	if _, err := r.Read(1); !errors.Is(err, canceled) || errors.As(err, &corrupt) || calls != 11 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
