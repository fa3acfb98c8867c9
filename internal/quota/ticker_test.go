package quota

import (
	"context"
	"errors"
	"testing"
)

// TestTicker: the context is looked at every so many steps, whatever their sizes, and its
// error stays.
func TestTicker(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ticker := NewTicker(ctx, 10)
	cancel()
	for i, want := range []error{nil, nil, context.Canceled, context.Canceled} {
		if err := ticker.Work(4); !errors.Is(err, want) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if err := ticker.Err(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var zero Ticker
	var none context.Context // expressions outside of a query have none
	never := NewTicker(none, 1)
	if err := errors.Join(zero.Work(5), never.Work(5)); err != nil {
		t.Error(err)
	}
}

// TestTelling: no step is lost on the way, and after an error nobody is asked.
func TestTelling(t *testing.T) {
	var told []int
	full := errors.New("full")
	ticker := Telling(func(n int) error {
		if told = append(told, n); len(told) == 2 {
			return full
		}
		return nil
	}, 8)
	for _, n := range []int{3, 3, 3, 20, 8} {
		_ = ticker.Work(n)
	}
	if len(told) != 2 || told[0] != 9 || told[1] != 20 || !errors.Is(ticker.Err(), full) {
		t.Errorf("%v %v", told, ticker.Err())
	}
	nobody := Telling(nil, 1)
	if err := nobody.Work(3); err != nil {
		t.Error(err)
	}
}
