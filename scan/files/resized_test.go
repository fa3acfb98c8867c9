package files

import (
	"sync"
	"testing"

	"github.com/parquetsql/parquetsql/storage"
)

// TestResized: a file whose size a log has wrong is opened by several goroutines at once, and each reads it,
// whichever of them finds its size.
func TestResized(t *testing.T) {
	for range 100 {
		_, list := manyFiles(2)
		for _, f := range list {
			f.Entry.Size, f.Entry.Version, f.Unlisted = f.Entry.Size+7, "", true
		}
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				f := list[i%len(list)]
				if i < 4 {
					if _, _, err := f.Metadata(t.Context()); err != nil {
						t.Error(err)
					}
				}
				open, err := f.Open(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				defer open.Close()
				if _, err := open.ReadAt(t.Context(), make([]byte, 4), 0); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
	}
}

// TestResizedBefore: who has opened a file with the wrong size opens it again also where another goroutine has
// found the right one meanwhile, and does not without end where a file is as it was said to be.
func TestResizedBefore(t *testing.T) {
	_, list := manyFiles(1)
	f := list[0]
	right := f.Entry
	wrong := right
	wrong.Size += 7
	f.Entry, f.Unlisted = wrong, true
	err := f.readError(storage.ErrChanged)
	if !f.resized(t.Context(), wrong, err) || f.entry().Size != right.Size {
		t.Errorf("the first one has the size %d", f.entry().Size)
	}
	if !f.resized(t.Context(), wrong, err) {
		t.Error("the second one does not open it again")
	}
	if f.resized(t.Context(), f.entry(), err) {
		t.Error("a file of the right size is opened again")
	}
}
