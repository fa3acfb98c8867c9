package statistics

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// TestKnown: files whose rows and bounds are known are not opened; these cannot be.
func TestKnown(t *testing.T) {
	footers := files.NewCache(files.Options{}).Footers()
	set := &files.Set{Table: scan.Table{Columns: []scan.Column{{Name: "a", Type: vector.Of(vector.BigInt)}, {Name: "b", Type: vector.Of(vector.BigInt)}}}}
	for i := range int64(200) {
		f := footers.File(nil, storage.Entry{Size: 1 << 20}, "no such file")
		lo, hi := vector.IntScalar(10*i), vector.IntScalar(10*i+9)
		f.Rows = 100
		f.Bounds = func(column int) *probe.Summary {
			if column == 1 {
				return nil
			}
			return &probe.Summary{Rows: 100, Nulls: 50, Min: &lo, Max: &hi}
		}
		if i == 0 {
			f.Deletes = &files.Deletes{Rows: 40}
		}
		set.Files = append(set.Files, f)
	}
	s := Of(t.Context(), set)
	if s.Rows() != 200*100-40 {
		t.Errorf("%v rows", s.Rows())
	}
	if a := s.Column(0); a.Nulls != 0.5 || a.Min.I64 != 0 || a.Max.I64 < 1900 || a.Distinct < 1900 || a.Distinct > 2000 {
		t.Errorf("a: %+v", a)
	}
	if b := s.Column(1); b.Nulls != -1 || b.Min != nil {
		t.Errorf("b: %+v", b)
	}
}
