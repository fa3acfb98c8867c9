package membudget

import (
	"errors"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestPages: pages may take half of the limit whatever operators hold, and all that
// operators leave.
func TestPages(t *testing.T) {
	b := New(16 << 20)
	if err := b.Reserve(16 << 20); err != nil {
		t.Fatal(err)
	}
	one, two := b.Pages(), b.Pages()
	if err := errors.Join(one.Reserve(freePage), one.Reserve(4<<20), one.Reserve(4<<20)); err != nil {
		t.Fatal(err)
	}
	if err := two.Reserve(2 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than half: %v", err)
	}
	b.Release(16 << 20)
	if err := two.Reserve(8 << 20); err != nil {
		t.Error(err)
	}
	if err := two.Reserve(2 << 20); !errors.Is(err, errs.ErrMemoryLimit) {
		t.Errorf("more than all: %v", err)
	}
	one.Release()
	one.Release()
	two.Release()
	if err := two.Reserve(16 << 20); err != nil {
		t.Error(err)
	}
	var none *Budget
	p := none.Pages()
	if err := p.Reserve(1 << 40); err != nil {
		t.Error(err)
	}
	p.Release()
}
