package scalar

import (
	"fmt"

	"github.com/parquetsql/parquetsql/vector"
)

// NoCast is the error of types between which there is no cast.
type NoCast struct{ From, To vector.Type }

func (e NoCast) Error() string { return fmt.Sprintf("cannot cast %s to %s", e.From, e.To) }
