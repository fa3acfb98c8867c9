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

// TestKeptColumns: columns of a star that nothing above reads are not kept, and take no room.
func TestKeptColumns(t *testing.T) {
	const stars = "(SELECT * FROM sales QUALIFY SUM(id) OVER (PARTITION BY shop) > 8)"
	for query, kept := range map[string]bool{"SELECT COUNT(*) FROM " + stars: true, "SELECT * FROM " + stars: false} {
		q := bound(t, query)
		q.MemoryLimit = 128e6
		n, err := rewrite.Partitions(q)
		if err != nil {
			t.Fatal(err)
		}
		if plan := shown(n); strings.Contains(plan, "in groups") != kept {
			t.Errorf("%s:\n%s", query, plan)
		}
	}
}
