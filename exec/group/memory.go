package group

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// tooLarge is the error of the budget for groups that cannot spill, with the name of the
// aggregate that holds most: STRING_AGG, MEDIAN and others keep all values.
func (p *groupPlan) tooLarge(g *groups, err error) error {
	if !errors.Is(err, errs.ErrMemoryLimit) || len(g.states) == 0 {
		return err
	}
	most := 0
	for i, s := range g.states {
		if s.Bytes() > g.states[most].Bytes() {
			most = i
		}
	}
	return fmt.Errorf("%s: %w", p.states[most].agg.Name(), err)
}
