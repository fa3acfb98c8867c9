package log

import (
	"testing"

	"github.com/parquetsql/parquetsql/scan/delta/action"
)

// TestTwice: which of two adds of a file in a checkpoint counts does not depend on which goroutine was faster,
// before a commit and after it.
func TestTwice(t *testing.T) {
	of := func(value string) *action.Partition {
		return &action.Partition{Names: []string{"p"}, Values: []action.Value{{Text: value, Null: value == ""}}}
	}
	vector := func(rows int64) *action.Deletion { return &action.Deletion{Storage: "i", Offset: -1, Rows: rows} }
	for name, pair := range map[string][2]*action.File{
		"time":      {{Path: "f", Partition: of("1"), Modified: 2}, {Path: "f", Partition: of("1"), Modified: 1}},
		"partition": {{Path: "f", Partition: of("1")}, {Path: "f", Partition: of("2")}},
		"NULL":      {{Path: "f", Partition: of("")}, {Path: "f", Partition: of("2")}},
		"deleted":   {{Path: "f", Partition: of("1"), Deletion: vector(1)}, {Path: "f", Partition: of("1"), Deletion: vector(2)}},
	} {
		for _, list := range [][]*action.File{{pair[0], pair[1]}, {pair[1], pair[0]}} {
			r := &replay{table: &Table{}, listed: list}
			if got := r.sorted(); len(got) != 1 || got[0] != pair[0] {
				t.Errorf("%s: the checkpoint has %+v", name, got)
			}
			if err := r.Remove(action.Remove{Key: "another"}); err != nil {
				t.Fatal(err)
			}
			if got := r.sorted(); len(got) != 1 || got[0] != pair[0] {
				t.Errorf("%s: after a commit there is %+v", name, got)
			}
		}
	}
}
