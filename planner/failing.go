package planner

import (
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
)

// failing has the constants of a statement that have no value, as CAST('a' AS INTEGER) and 1 << 70.
// They are errors where a row needs them, and the operators know no places: the message tells which
// constant it was.
type failing []failed

type failed struct {
	text     string // the message
	pos, end int
}

// maxFailing bounds them: the first ones suffice for a message.
const maxFailing = 100

func (f *failing) add(e ast.Expr, err error) {
	if len(*f) < maxFailing {
		*f = append(*f, failed{err.Error(), e.Start(), e.Stop()})
	}
}

// placed says which part of the statement an error is about.
func (f *failing) placed(err error) error {
	text := err.Error()
	for _, c := range *f {
		if c.text == text {
			return errs.At(c.pos, c.end, err)
		}
	}
	return err
}
