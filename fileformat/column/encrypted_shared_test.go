package column

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// askedKeys counts the calls, and refuses columns until open is set.
type askedKeys struct {
	chunktest.Keys
	columns atomic.Int32
	open    atomic.Bool
}

func (k *askedKeys) ColumnKey(ctx context.Context, path []string, metadata []byte) ([]byte, error) {
	k.columns.Add(1)
	if !k.open.Load() {
		return nil, errs.ErrKeyMissing
	}
	return k.Keys.ColumnKey(ctx, path, metadata)
}

// TestUnlockShared: a file is shared by goroutines that unlock and read it. No key is
// asked for before it is needed, none again once it was got, and one that was refused
// may come later.
func TestUnlockShared(t *testing.T) {
	data, keys := matrixFile(t, "gcm_sealed_256_stored_columns.parquet.encrypted")
	shared := &askedKeys{Keys: keys}
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Keys: shared})
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	locked := 0
	for i, c := range f.RowGroups()[0].Columns {
		all = append(all, i)
		if c.Locked() {
			locked++
		}
		if c.Locked() && c.Statistics() != nil {
			t.Errorf("%s is locked and has statistics", c.Leaf.Dotted())
		}
	}
	if locked != 2 || shared.columns.Load() != 0 {
		t.Fatalf("%d columns are locked, %d keys were asked for", locked, shared.columns.Load())
	}
	if _, err := f.Unlock(t.Context(), all); !errors.Is(err, errs.ErrKeyMissing) {
		t.Fatal(err)
	}
	shared.open.Store(true)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			unlocked, err := f.Unlock(context.Background(), all)
			if err != nil {
				t.Error(err)
				return
			}
			for _, g := range unlocked.RowGroups() {
				for _, c := range g.Columns {
					var x contents
					if err := x.add(t, c, bytes.NewReader(data)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	asked := shared.columns.Load()
	again, err := f.Unlock(t.Context(), all)
	if err != nil || shared.columns.Load() != asked || again.RowGroups()[0].Columns[1].Locked() || !f.RowGroups()[0].Columns[1].Locked() {
		t.Errorf("%v, %d keys were asked for again", err, shared.columns.Load()-asked)
	}
}
