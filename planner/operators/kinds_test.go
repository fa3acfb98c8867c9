package operators

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/physical"
)

// TestKinds: there is a case for each node. One that is empty may panic within its case.
func TestKinds(t *testing.T) {
	for _, n := range physical.Kinds() {
		func() {
			defer func() { _ = recover() }()
			b := &builder{}
			if _, err := b.untraced(n); err != nil && strings.Contains(err.Error(), fmt.Sprintf("no operator for a %T;", n)) {
				t.Error(err)
			}
		}()
	}
	if _, err := (&builder{}).untraced(nil); err == nil || !strings.Contains(err.Error(), "needs a case") {
		t.Errorf("%v", err)
	}
}
