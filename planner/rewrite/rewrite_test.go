package rewrite_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/explain"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

var update = flag.Bool("update", false, "write the plans of testdata anew")

// TestRules runs the cases of testdata: each file is about one rule. It begins
// with
//
//	rule <name>
//	after <names of rules that run first, or none>
//
// and has, separated by empty lines, the cases: a query, its plan before the
// rule, and its plan after it, with ---- between them. With -update the test writes
// the plans.
func TestRules(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rewrite.Rules() {
		if file := filepath.Join("testdata", r.Name+".txt"); !slices.Contains(files, file) {
			t.Errorf("the rule %s has no test: write queries into %s as the comment of TestRules says", r.Name, file)
		}
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { testFile(t, file) })
	}
}

func testFile(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(strings.TrimSpace(string(text)), "\n\n")
	var rule, after string
	for _, line := range strings.Split(blocks[0], "\n") {
		if name, ok := strings.CutPrefix(line, "rule "); ok {
			rule = name
		}
		if names, ok := strings.CutPrefix(line, "after "); ok {
			after = names
		}
	}
	if rule+".txt" != filepath.Base(file) || after == "" {
		t.Fatalf("the file does not begin with a line \"rule <the file's name>\" and a line \"after <rules>\", but with rule %q after %q", rule, after)
	}
	changed := false
	for i, block := range blocks[1:] {
		sql, _, _ := strings.Cut(block, "\n----\n")
		got := sql + plans(t, strings.TrimSpace(sql), rule, after)
		if got == block {
			continue
		}
		if !*update {
			t.Errorf("got\n%s\nwant\n%s\nIf the new plan is right, write it with -update.", got, block)
		}
		blocks[i+1], changed = got, true
	}
	if *update && changed {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// plans is the query's plan before and after the rule.
func plans(t *testing.T, sql, rule, after string) string {
	t.Helper()
	var query []string
	for _, line := range strings.Split(sql, "\n") {
		if !strings.HasPrefix(line, "#") {
			query = append(query, line)
		}
	}
	q := bound(t, strings.Join(query, "\n"))
	for _, name := range strings.Split(after, ", ") {
		if name != "none" {
			q = applied(t, q, name)
		}
	}
	before := shown(q.Root)
	return "\n----\n" + before + "\n----\n" + shown(applied(t, q, rule).Root)
}

// applied is the query after a rule, which must leave a sound plan with the same
// result columns.
func applied(t *testing.T, q logical.Query, name string) logical.Query {
	t.Helper()
	at := slices.IndexFunc(rewrite.Rules(), func(r rewrite.Rule) bool { return r.Name == name })
	if at < 0 {
		t.Fatalf("no rule %q", name)
	}
	n, err := rewrite.Rules()[at].Apply(q)
	if err != nil {
		t.Fatal(err)
	}
	if err := logical.Check(n, logical.Set{}); err != nil {
		t.Errorf("%s leaves an unsound plan: %v\n%s", name, err, shown(n))
	}
	if !slices.EqualFunc(n.Columns(), q.Root.Columns(), func(a, b logical.Column) bool {
		return a.ID == b.ID && a.Name == b.Name && a.Type.Equal(b.Type)
	}) {
		t.Errorf("%s changes the result's columns: %v, before %v", name, n.Columns(), q.Root.Columns())
	}
	q.Root = n
	return q
}

// shown is the plan as EXPLAIN prints it. A scan's probes are what it was given
// of elements, and where in the table these are.
func shown(n logical.Node) string {
	return strings.Join(explain.Logical(n, func(s *logical.Scan) (probes []string) {
		for _, e := range s.Unnested {
			probes = append(probes, e.String())
		}
		for _, i := range s.Inner {
			probes = append(probes, fmt.Sprint("of ", i.Column, " ", i.Path))
		}
		return probes
	}), "\n")
}

func bound(t *testing.T, sql string) logical.Query {
	t.Helper()
	tree, _, err := dialect.Parse(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	env := &bind.Env{Catalog: tables{}, Now: time.Unix(0, 0)}
	q, err := bind.Query(context.Background(), env, tree.(*ast.Query))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	q.Statistics = statistics
	if err := logical.Check(q.Root, logical.Set{}); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return q
}

// sales has a million rows, shops 1,000, towns 50.
var sizes = map[string]float64{"sales": 1e6, "shops": 1000, "towns": 50}

// statistics are the sizes. All values of a column id are different; other columns
// have as many values as the table that they refer to has rows, or 10.
func statistics(t logical.Table) scan.Statistics {
	if rows, ok := sizes[t.Description().Name]; ok {
		return sized{t.Description(), rows}
	}
	return nil
}

type sized struct {
	*scan.Table
	rows float64
}

func (s sized) Rows() float64 { return s.rows }

func (s sized) Column(i int) scan.ColumnStatistics {
	name := s.Columns[i].Name
	if name == "id" {
		return scan.ColumnStatistics{Distinct: s.rows}
	}
	return scan.ColumnStatistics{Distinct: max(10, sizes[name+"s"])}
}

// tables has t with single values, o with lists, and sales, shops and towns to join.
type tables struct{}

func (tables) TableNames(context.Context) ([]string, error) { return nil, nil }

func (t tables) Files(ctx context.Context, paths []string, _ string) (logical.Table, error) {
	return t.Table(ctx, paths[0])
}

func (tables) Table(_ context.Context, name string) (logical.Table, error) {
	of := vector.Of
	list := func(t vector.Type) vector.Type {
		return vector.ListOf(vector.Field{Name: "element", Type: t, Nullable: true})
	}
	point := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "x", Type: of(vector.BigInt)}, {Name: "y", Type: of(vector.BigInt)}}}
	item := vector.Type{Kind: vector.Struct, Fields: []vector.Field{
		{Name: "sku", Type: of(vector.Varchar)}, {Name: "price", Type: of(vector.BigInt)}, {Name: "at", Type: point}, {Name: "parts", Type: list(of(vector.BigInt))},
	}}
	integers := func(names ...string) *scan.Table {
		t := &scan.Table{Name: name}
		for _, n := range names {
			t.Columns = append(t.Columns, scan.Column{Name: n, Type: of(vector.BigInt), Nullable: n != "id"})
		}
		return t
	}
	switch name {
	case "sales":
		return integers("id", "shop", "town", "price"), nil
	case "shops":
		return integers("id", "town", "kind"), nil
	case "towns":
		return integers("id", "land"), nil
	case "t":
		return &scan.Table{Name: "t", Columns: []scan.Column{
			{Name: "a", Type: of(vector.BigInt)}, {Name: "b", Type: of(vector.Varchar), Nullable: true}, {Name: "c", Type: of(vector.Double), Nullable: true},
		}}, nil
	case "e":
		return &scan.Table{Name: "e", Columns: []scan.Column{{Name: "id", Type: of(vector.BigInt)}, {Name: "v", Type: vector.VariantType(), Nullable: true}}}, nil
	case "o":
		return &scan.Table{Name: "o", Columns: []scan.Column{
			{Name: "id", Type: of(vector.BigInt)}, {Name: "items", Type: list(item), Nullable: true}, {Name: "grid", Type: list(list(of(vector.Double)))},
			{Name: "m", Type: vector.Type{Kind: vector.Map, Fields: []vector.Field{{Name: "key", Type: of(vector.Varchar)}, {Name: "value", Type: of(vector.BigInt)}}}},
			{Name: "vs", Type: list(of(vector.Variant))},
		}}, nil
	}
	return nil, &errs.NotFoundError{Kind: "table", Name: name}
}
