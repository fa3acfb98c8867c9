package aggregate

import "github.com/parquetsql/parquetsql/internal/quota"

// interrupted is what states whose Result may take long embed. It implements Interruptible.
type interrupted struct {
	worked func(n int) error // nil: nobody asks
	budget *quota.Budget
}

// rowWork is what adding a row to a state takes, in bytes of simpler work.
const rowWork = 32

// Interrupt implements Interruptible.
func (t *interrupted) Interrupt(work func(n int) error, budget *quota.Budget) {
	t.worked, t.budget = work, budget
}

func (t *interrupted) work(n int) error {
	if t.worked == nil {
		return nil
	}
	return t.worked(n)
}
