package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/scan/scantest"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSpelling: names that differ only in case are one, unless one file has both.
func TestSpelling(t *testing.T) {
	group := func(name string, children ...scantest.Field) scantest.Field {
		return scantest.Field{Name: name, Children: children}
	}
	x := scantest.Int32
	for i, c := range []struct {
		files [][]scantest.Field
		want  string // the columns, * for whole groups
	}{
		{[][]scantest.Field{{x("Id"), x("v")}, {x("id"), x("V")}, {x("ID")}}, "Id v"},
		{[][]scantest.Field{{x("id")}, {x("id"), x("ID")}}, "id ID"},
		{[][]scantest.Field{{x("Id")}, {x("id"), x("ID")}}, "Id id ID"},
		{[][]scantest.Field{{x("id"), x("ID")}, {x("Id")}}, "id ID Id"},
		{[][]scantest.Field{{group("S", x("a"))}, {group("s", x("A"), x("b"))}}, "S.a S.b *S"},
		{[][]scantest.Field{{group("S", x("b"))}, {group("s", x("A"))}}, "S.b S.A *S"},
		{[][]scantest.Field{{group("s", x("a")), group("S", x("b"))}, {group("S", x("A"))}}, "s.a S.b S.A *s *S"},
		{[][]scantest.Field{{group("s", x("a"), x("A"))}, {group("S", x("a"))}}, "s.a s.A *s"},
		{[][]scantest.Field{{group("s", x("a")), x("S")}, {group("s", x("A"))}}, "s.a S *s"},
		{[][]scantest.Field{{x("a.b")}, {group("A", x("B"))}}, "a.b *A"},
		{[][]scantest.Field{{x("\u212a"), x("É")}, {x("k"), x("é")}}, "\u212a É"},
		{[][]scantest.Field{{x("ß")}, {x("ss")}}, "ß ss"},
	} {
		data := map[string][]byte{}
		for f, fields := range c.files {
			data[fmt.Sprintf("t/%d.parquet", f)] = scantest.File(fields)
		}
		found := table(t, snapshot(t, open(t, Config{FS: scantest.FS(data), Path: "."})), "t")
		var names []string
		for _, column := range found.Columns {
			switch {
			case column.Group:
				names = append(names, "*"+column.Name)
			case !column.Hidden:
				names = append(names, column.Name)
			}
			if column.Conflict != nil {
				t.Errorf("case %d: %v", i, column.Conflict)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("case %d: columns %s, want %s", i, got, c.want)
		}
		for f, file := range found.Files { // each leaf of the file is a column of the table
			seen := 0
			for at, column := range found.Columns {
				own, ok := columnsOf(t, file).Column(at)
				if ok && !column.Group {
					seen++
				}
				if ok && !strings.EqualFold(own.Name, column.Name) {
					t.Errorf("case %d: column %s of file %d is %s", i, own.Name, f, column.Name)
				}
			}
			if want := leaves(c.files[f]); seen != want {
				t.Errorf("case %d: %d columns of file %d, want %d", i, seen, f, want)
			}
		}
	}
}

func leaves(fields []scantest.Field) (n int) {
	for _, f := range fields {
		if f.Children == nil {
			n++
		}
		n += leaves(f.Children)
	}
	return n
}

// TestWidenSpelling: within lists, maps and structs, too.
func TestWidenSpelling(t *testing.T) {
	row := func(of vector.Type, names ...string) vector.Type {
		out := vector.Type{Kind: vector.Struct}
		for _, n := range names {
			out.Fields = append(out.Fields, vector.Field{Name: n, Type: of})
		}
		return out
	}
	list := func(e vector.Type) vector.Type { return vector.ListOf(vector.Field{Name: "item", Type: e}) }
	number := vector.Of(vector.Integer)
	for _, c := range []struct {
		in   []vector.Type
		want string
	}{
		{[]vector.Type{row(number, "A"), row(number, "a", "b"), row(number, "B")}, "STRUCT(A INTEGER, b INTEGER)"},
		{[]vector.Type{row(number, "A"), row(number, "a", "A"), row(number, "a")}, "STRUCT(A INTEGER, a INTEGER)"},
		{[]vector.Type{row(number, "Id"), row(number, "id", "ID")}, "STRUCT(Id INTEGER, id INTEGER, ID INTEGER)"},
		{[]vector.Type{list(row(number, "A")), list(row(vector.Of(vector.BigInt), "a"))}, "LIST(STRUCT(A BIGINT))"},
		{[]vector.Type{row(list(row(number, "x")), "A"), row(list(row(number, "X", "y")), "a")}, "STRUCT(A LIST(STRUCT(x INTEGER, y INTEGER)))"},
	} {
		if got, ok := widenAll(c.in); !ok || got.String() != c.want {
			t.Errorf("%v: %v, %v, want %s", c.in, got, ok, c.want)
		}
	}
}

// TestKeysInCase: of keys that differ only in case, the one that is spelled as a column takes its
// place, and no two keys take the place of one.
func TestKeysInCase(t *testing.T) {
	for _, c := range []struct{ folder, column, want string }{
		{"K=1/k=2", "K", "K=1 k=2"},
		{"k=2/K=1", "K", "K=1 k=2"},
		{"kK=1/Kk=2", "KK", "KK=1 Kk=2"},
		{"k=2", "K", "K=2"},
	} {
		data := map[string][]byte{"t/" + c.folder + "/f.parquet": scantest.File([]scantest.Field{scantest.Int32(c.column)})}
		found := table(t, snapshot(t, open(t, Config{FS: scantest.FS(data), Path: "."})), "t")
		var got []string
		for at, column := range found.Columns {
			if column.Partition {
				value, _ := found.Files[0].Value(at)
				got = append(got, fmt.Sprintf("%s=%d", column.Name, value.I64))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s with a column %s: %v, want %s", c.folder, c.column, got, c.want)
		}
	}
}
