package temporal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// unknownPart is the error of a date part that does not exist.
func unknownPart(name string) error {
	var likely []string
	if len(name) > 3 { // of a short one many short names are as near as any
		likely = errs.Nearest(name, slices.Sorted(maps.Keys(partNames)))
	}
	if likely == nil {
		likely = []string{"year", "quarter", "month", "week", "day", "hour", "minute", "second"}
	}
	return fmt.Errorf("unknown date part %q (there is %s)", name, strings.Join(likely, ", "))
}
