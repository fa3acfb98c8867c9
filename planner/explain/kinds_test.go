package explain

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
)

// other is a node that package physical does not have.
type other struct{ physical.Once }

func (*other) Logical() logical.Node { return nil }

// TestKinds: there is a text for each node. One that is empty may panic within its case.
func TestKinds(t *testing.T) {
	lacks := func(n physical.Node) (lacks bool) {
		defer func() { _ = recover() }()
		return strings.HasPrefix(describePhysical(n).Operator, "internal error")
	}
	for _, n := range physical.Kinds() {
		if lacks(n) {
			t.Errorf("%T has no text", n)
		}
	}
	if !lacks(&other{}) {
		t.Error("a node without a text is not reported")
	}
}
