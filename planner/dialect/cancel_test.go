package dialect_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/dialect"
)

// ending is a context that ends when it was looked at some times.
type ending struct {
	context.Context
	looks, at int
}

func (e *ending) Err() error {
	if e.looks++; e.looks > e.at && e.at >= 0 {
		return context.Canceled
	}
	return nil
}

// TestCancelled: the context is looked at in every stage, at least for each 8,192 tokens, and
// whenever it ends, that is the error, and not what is missing of the text.
func TestCancelled(t *testing.T) {
	const conditions = 30_000
	text := "SELECT a FROM t WHERE " + strings.Repeat("a + 1 = b OR ", conditions) + "a"
	all := &ending{Context: t.Context(), at: -1}
	if _, _, err := dialect.Parse(all, text); err != nil {
		t.Fatal(err)
	}
	const stages = 4 // tokens, those of the parser, the operands, the tree
	if least := stages * conditions * 3 / 8192; all.looks < least {
		t.Errorf("the context is looked at %d times, want %d", all.looks, least)
	}
	for at := 0; at < all.looks; at += 1 + all.looks/10 {
		if _, _, err := dialect.Parse(&ending{Context: t.Context(), at: at}, text); !errors.Is(err, context.Canceled) {
			t.Errorf("it ends at look %d of %d: %v", at, all.looks, err)
		}
	}
}
