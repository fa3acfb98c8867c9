package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// ending is a context that ends after so many looks at it, or never.
type ending struct {
	context.Context
	looks, at int
}

func (e *ending) Err() error {
	if e.looks++; e.at > 0 && e.looks > e.at {
		return context.Canceled
	}
	return nil
}

// TestLongPlansEnd: rules whose work grows with the square of the plan, expressions with very
// many operands, and scans with very many conjuncts look at the context for each join, for
// every 16 operations and for each conjunct, and any look may be the last one.
func TestLongPlansEnd(t *testing.T) {
	tables, equal, operands := make([]string, 100), make([]string, 99), make([]string, 4000)
	predicates, subqueries := make([]string, 1000), make([]string, 50)
	for i := range tables {
		tables[i] = fmt.Sprintf("birds AS t%d", i)
	}
	for i := range equal {
		equal[i] = fmt.Sprintf("t%d.id = t0.id", i+1)
	}
	for i := range operands {
		operands[i] = fmt.Sprintf("id + %d", i)
	}
	for i := range predicates {
		predicates[i] = fmt.Sprintf("id <> %d", i+1000)
	}
	for i := range subqueries {
		subqueries[i] = fmt.Sprintf("(SELECT MAX(b.id) FROM birds b WHERE b.id = a.id + %d)", i)
	}
	for _, c := range []struct {
		name, text string
		least      int // looks
	}{
		{"tables", "SELECT COUNT(*) FROM " + strings.Join(tables, ", ") + " WHERE " + strings.Join(equal, " AND "), 3 * len(tables)}, // filters, derive, joins
		{"operands", "SELECT COALESCE(" + strings.Join(operands, ", ") + ") FROM birds", 3 * len(operands) / 16},                     // an operation each, and two operands
		{"predicates", "SELECT id FROM birds WHERE " + strings.Join(predicates, " AND "), len(predicates)},                           // filters of a computed table
		{"subqueries", "SELECT " + strings.Join(subqueries, ", ") + " FROM birds a", 2 * len(subqueries)},                            // decorrelate, joins
	} {
		s, err := Parse(t.Context(), c.text)
		if err != nil {
			t.Fatal(err)
		}
		run := func(ctx context.Context) error {
			r, err := s.run(ctx, &Session{Limits: Limits{Parallelism: 1}}, birds(), nil)
			if err != nil {
				return err
			}
			res, err := r.result(s.tree)
			if err != nil {
				return err
			}
			for {
				b, err := res.Root.Next(ctx)
				if b == nil || err != nil {
					return errors.Join(err, res.Root.Close())
				}
			}
		}
		all := &ending{Context: t.Context()}
		if err := run(all); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if all.looks < c.least {
			t.Errorf("%s: the context is looked at %d times, want %d", c.name, all.looks, c.least)
		}
		for at := 1; at < all.looks; at += 1 + all.looks/5 {
			if err := run(&ending{Context: t.Context(), at: at}); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: it ends at look %d of %d: %v", c.name, at, all.looks, err)
			}
		}
	}
}
