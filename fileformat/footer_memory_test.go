package fileformat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestFooterMemory: a footer of many columns or row groups is refused where it takes more
// than it may, before it is made, and reading it ends with the context.
func TestFooterMemory(t *testing.T) {
	const n = 20_000
	columns := []ts{{{4, "schema"}, {5, int32(n)}}}
	for i := range n {
		columns = append(columns, ts{{1, int32(1)}, {3, int32(0)}, {4, fmt.Sprint("c", i)}})
	}
	groups := make([]ts, n)
	for i := range groups {
		groups[i] = testGroup(testChunks()...)
	}
	for name, b := range map[string][]byte{
		"columns":    testFile(tf{2, structs(columns...)}, tf{3, int64(0)}, tf{4, structs[ts]()}),
		"row groups": testFile(tf{3, int64(3 * n)}, tf{4, structs(groups...)}),
	} {
		open := func(ctx context.Context, memory int64) error {
			_, err := OpenContext(ctx, bytes.NewReader(b), int64(len(b)), Options{Name: "test", Memory: memory})
			return err
		}
		if err := errors.Join(open(t.Context(), 0), open(t.Context(), 64<<20)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := open(t.Context(), 16<<20); !errors.Is(err, errs.ErrMemoryLimit) {
			t.Errorf("%s: %v with 16 MiB", name, err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := open(ended, 0); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after the end of its context", name, err)
		}
	}
}
