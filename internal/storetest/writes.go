package storetest

import (
	"bytes"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

// Writes checks that objects below an address can be written, fresh or not, and removed.
func Writes(t *testing.T, address string, options map[string]string) {
	t.Helper()
	a, ok := storage.ParseAddress(address)
	if !ok {
		t.Fatalf("%q is no address", address)
	}
	scheme, err := storage.SchemeOf(a.Scheme)
	if err != nil {
		t.Fatal(err)
	}
	root, err := scheme.Open(a, options)
	if err != nil {
		t.Fatal(err)
	}
	s := root.Store.(*remote.Store)
	defer s.Close()
	if !s.Writes() {
		t.Fatal("it does not write")
	}
	ctx, name := t.Context(), root.Name+"/new folder/ä+b"
	if _, err := s.Read(ctx, name, 0, 10, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is not there: %v", err)
	}
	var won atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := s.Put(ctx, name, []byte("first"), true)
			var e *remote.Error
			switch {
			case err == nil:
				won.Add(1)
			case !errors.As(err, &e) || e.Kind != remote.Changed:
				t.Error(err)
			}
		})
	}
	if wg.Wait(); won.Load() != 1 {
		t.Errorf("%d have written a fresh object", won.Load())
	}
	if got, err := s.Read(ctx, name, 0, 100, true); string(got) != "first" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	second := bytes.Repeat([]byte("second"), 100_000)
	if err := s.Put(ctx, name, second, false); err != nil {
		t.Error(err)
	}
	if got, err := s.Read(ctx, name, 6, 12, false); string(got) != "secondsecond" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := s.Read(ctx, name, 0, 100, true); err == nil {
		t.Error("more than the caller takes is no error")
	}
	if _, err := s.Read(ctx, name, int64(len(second))-1, 2, false); err == nil {
		t.Error("more than there is is no error")
	}
	if err := errors.Join(s.Delete(ctx, name), s.Delete(ctx, name)); err != nil {
		t.Error(err)
	}
	if _, err := s.Read(ctx, name, 0, 10, true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that was removed: %v", err)
	}
}
