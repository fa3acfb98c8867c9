package bind

import (
	"strings"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// listedTables is the rows of SHOW ALL TABLES. A table without columns is one that cannot be
// read: its lists are NULL.
func listedTables(ids *logical.IDs, names []string, found []logical.Table) (*logical.Values, error) {
	texts := vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.Varchar)})
	types := []vector.Type{vector.Of(vector.Varchar), vector.Of(vector.Varchar), vector.Of(vector.Varchar), texts, texts, vector.Of(vector.Boolean)}
	n := &logical.Values{}
	for i, name := range []string{"database", "schema", "name", "column_names", "column_types", "temporary"} {
		c := logical.Column{ID: ids.New(), Name: name, Type: types[i], Nullable: types[i].Kind == vector.List}
		n.Output = append(n.Output, c)
	}
	for from := 0; from < len(names); from += vector.BatchSize {
		to := min(from+vector.BatchSize, len(names))
		rows := make([][]vector.Scalar, len(types))
		for i, name := range names[from:to] {
			var own, kinds []string
			schema := "main"
			if t := found[from+i]; t != nil {
				for _, c := range listedTable(t) {
					own, kinds = append(own, c.Name), append(kinds, c.Type.String())
				}
				if path := t.Description().Path; path != nil {
					schema, name = strings.Join(path[:len(path)-1], "."), path[len(path)-1]
				}
			}
			for k, v := range []vector.Scalar{
				vector.StringScalar("parquet"), vector.StringScalar(schema), vector.StringScalar(name),
				list(texts, own), list(texts, kinds), vector.BoolScalar(false),
			} {
				rows[k] = append(rows[k], v)
			}
		}
		b := &vector.Batch{Len: to - from}
		for k, t := range types {
			v := &vector.Vector{}
			if err := v.FromScalars(t, rows[k]); err != nil {
				return nil, err
			}
			b.Cols = append(b.Cols, v)
		}
		n.Batches = append(n.Batches, b)
	}
	return n, nil
}

// list is a list of strings; nil is NULL.
func list(t vector.Type, items []string) vector.Scalar {
	if items == nil {
		return vector.NullOf(t)
	}
	elements := vector.New(t.Fields[0].Type, len(items))
	copy(elements.Str, items)
	v := &vector.Vector{Type: t, Len: 1, Offsets: []int32{0, int32(len(items))}, Children: []*vector.Vector{elements}}
	return vector.Scalar{Type: t, Nested: v}
}

// createText is the CREATE TABLE statement that describes a table.
func createText(t logical.Table) string {
	var lines []string
	for _, c := range listedTable(t) {
		line := "  " + quote(c.Name) + " " + c.Type.String()
		if !c.Nullable {
			line += " NOT NULL"
		}
		lines = append(lines, line)
	}
	return "CREATE TABLE " + quote(t.Description().Name) + " (\n" + strings.Join(lines, ",\n") + "\n)"
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
