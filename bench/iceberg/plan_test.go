package iceberg

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/iceberg-go"
)

// condition is a filter for both.
type condition struct {
	where  string
	args   []any
	filter iceberg.BooleanExpression
}

// conditions are some of the values that a column has.
func conditions(f iceberg.NestedField, values []any) (out []condition) {
	name, ref := "`"+f.Name+"`", iceberg.Reference(f.Name)
	out = []condition{{name + " IS NULL", nil, iceberg.IsNull(ref)}, {name + " IS NOT NULL", nil, iceberg.NotNull(ref)}}
	for _, v := range values {
		var equal, less, atLeast iceberg.BooleanExpression
		switch v := v.(type) {
		case int64:
			equal, less, atLeast = iceberg.EqualTo(ref, v), iceberg.LessThan(ref, v), iceberg.GreaterThanEqual(ref, v)
		case string:
			equal, less, atLeast = iceberg.EqualTo(ref, v), iceberg.LessThan(ref, v), iceberg.GreaterThanEqual(ref, v)
		default:
			continue
		}
		out = append(out, condition{name + " = ?", []any{v}, equal}, condition{name + " < ?", []any{v}, less}, condition{name + " >= ?", []any{v}, atLeast})
	}
	return out
}

// wrong are tables of which iceberg-go has other rows, each with the reason that ours are right.
var wrong = map[string]string{
	"bunnies":                                   "with a filter it applies no position deletes; without one it does",
	"is_null_is_not_null":                       "with a filter it loses a row that it has without one",
	"partition_bigint":                          lacking,
	"partition_integer":                         lacking,
	"hive_partitioned_table":                    lacking,
	"iceberg_legacy_partition_schema_evolution": "it has NULL in place of partition values whose type was promoted; Impala's test has ours",
}

const lacking = "it has NULL in place of partition values where files lack the column; Column Projection of the specification has ours"

// refusals are what is refused, once for each table and error.
type refusals map[string]int

func (r refusals) add(t *testing.T, dir, who string, err error) {
	text := fmt.Sprintf("%s: %s: %.300v", dir, who, err)
	if r[text]++; r[text] == 1 {
		t.Log(text)
	}
}

// TestPlanFiles compares which data files are opened, and which rows there are, with what iceberg-go plans
// and reads: of the tables of the repository, and of those that a variable of the environment names.
func TestPlanFiles(t *testing.T) {
	var same, fewer, rows, different int
	refused := refusals{}
	for _, root := range []string{"../../testdata/iceberg", os.Getenv("PARQUETSQL_ICEBERG_CORPUS")} {
		if root == "" {
			continue
		}
		for _, dir := range tableDirs(t, root) {
			abs, err := filepath.Abs(dir)
			if err != nil {
				t.Fatal(err)
			}
			first := open(t, abs)
			if _, err := first.rows("SELECT * FROM " + first.name); err != nil {
				refused.add(t, dir, "we", err)
				continue
			}
			tbl, err := theirs(t.Context(), abs, first.metadata())
			if err != nil {
				refused.add(t, dir, "iceberg-go", err)
				continue
			}
			fields := simple(tbl.Schema())
			list := []condition{{"TRUE", nil, iceberg.AlwaysTrue{}}}
			var names, quoted []string
			for _, f := range fields {
				names, quoted = append(names, f.Name), append(quoted, "`"+f.Name+"`")
				list = append(list, conditions(f, some(t, first, f.Name))...)
			}
			for _, c := range list {
				them, err := planned(t.Context(), tbl, c.filter)
				if err != nil {
					refused.add(t, dir, "iceberg-go", err)
					continue
				}
				own := open(t, abs)
				if _, err := own.rows("SELECT * FROM "+own.name+" WHERE "+c.where, c.args...); err != nil {
					t.Errorf("%s, %s: %v", dir, c.where, err)
					continue
				}
				us := own.data(t)
				switch {
				case slices.Equal(us, them):
					same++
				case !slices.ContainsFunc(us, func(name string) bool { return !slices.Contains(them, name) }):
					fewer++
				default:
					t.Errorf("%s, %s: %v, iceberg-go plans %v", dir, c.where, us, them)
				}
				if names == nil {
					continue
				}
				want, err := read(t.Context(), tbl, c.filter, names)
				if err != nil {
					refused.add(t, dir, "iceberg-go", err)
					continue
				}
				got, err := own.rows("SELECT "+strings.Join(quoted, ", ")+" FROM "+own.name+" WHERE "+c.where, c.args...)
				switch {
				case err == nil && slices.Equal(got, want):
					rows++
				case err == nil && wrong[filepath.Base(dir)] != "":
					different++
				default:
					t.Errorf("%s, %s: %d rows, iceberg-go has %d: %v\n%.300v\n%.300v", dir, c.where, len(got), len(want), err, got, want)
				}
			}
		}
	}
	t.Logf("the same files %d times, fewer than iceberg-go %d times; the same rows %d times, others for a reason %d times", same, fewer, rows, different)
	if same < 200 {
		t.Error("that is few")
	}
}

// some are values of a column.
func some(t *testing.T, o *ours, column string) (out []any) {
	rows, err := o.Query("SELECT DISTINCT `" + column + "` AS v FROM " + o.name + " WHERE v IS NOT NULL ORDER BY v LIMIT 40")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		var v any
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		if i, ok := v.(int32); ok {
			v = int64(i)
		}
		if n%7 == 0 {
			out = append(out, v)
		}
	}
	return out
}

// data are the data files that were opened.
func (o *ours) data(t *testing.T) (out []string) {
	t.Helper()
	names := slices.Clone(o.files.names)
	list, err := o.rows("SELECT file_path FROM `" + strings.Trim(o.name, "`") + "$files` WHERE content = 0")
	if err != nil {
		t.Fatal(err)
	}
	data := map[string]bool{}
	for _, f := range list {
		data[path.Base(strings.Trim(f, "[]"))] = true
	}
	for _, name := range names {
		if data[path.Base(name)] {
			out = append(out, path.Base(name))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
