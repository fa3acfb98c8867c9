package rewrite_test

import (
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/planner/rewrite"
)

// TestKeptWithin: rows are kept with the numbers of their groups where the memory limit has room for them.
func TestKeptWithin(t *testing.T) {
	for limit, kept := range map[int64]bool{0: true, 1 << 10: false, 1 << 40: true} {
		q := bound(t, "SELECT id, SUM(id) OVER (PARTITION BY shop) FROM sales")
		q.MemoryLimit = limit
		n, err := rewrite.Partitions(q)
		if err != nil {
			t.Fatal(err)
		}
		if plan := shown(n); strings.Contains(plan, "in groups") != kept || strings.Contains(plan, "Join") == kept {
			t.Errorf("with a limit of %d bytes:\n%s", limit, plan)
		}
	}
}
