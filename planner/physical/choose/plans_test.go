package choose_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/dialect"
	"github.com/parquetsql/parquetsql/planner/explain"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

var update = flag.Bool("update", false, "write the plans of testdata anew")

// TestPlans compares what is decided with testdata/plans.txt: queries, each with its plan
// for four workers behind it. With -update it writes the plans; the author reads whether
// they are right.
func TestPlans(t *testing.T) {
	const file = "testdata/plans.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		sql, want, _ := strings.Cut(block, "\n")
		got := strings.Join((&explain.Plan{Root: plan(t, sql, choose.Resources{Workers: 4}).Root}).Text(), "\n")
		if out = append(out, sql+"\n"+got); got != want && !*update {
			t.Errorf("%s\n got\n%s\nwant\n%s", sql, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPageRoom: fewer readers where the pages of all would not fit.
func TestPageRoom(t *testing.T) {
	for _, c := range []struct {
		room int64
		want int
	}{{0, 4}, {1 << 30, 4}, {6 << 20, 2}, {1, 1}} {
		root := plan(t, "SELECT a, b FROM large WHERE a > 1", choose.Resources{Workers: 4, PageRoom: c.room}).Root
		for len(root.Inputs()) > 0 {
			root = root.Inputs()[0]
		}
		if got := root.(*physical.Scan).Readers; got != c.want {
			t.Errorf("with room for %d bytes there are %d readers, want %d", c.room, got, c.want)
		}
	}
}

func plan(t *testing.T, sql string, r choose.Resources) *physical.Plan {
	t.Helper()
	tree, _, err := dialect.Parse(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	q, err := bind.Query(t.Context(), &bind.Env{Catalog: tables{}, Now: time.Unix(0, 0)}, tree.(*ast.Query))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	q, err = rewrite.Apply(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	p, err := choose.Plan(q.Root, r)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return p
}

// fake is a source of a size that is not read.
type fake struct {
	scan.Table
	bytes int64
}

func (f *fake) Bytes() int64                             { return f.bytes }
func (*fake) Answers() bool                              { return true }
func (*fake) Statistics(context.Context) scan.Statistics { return nil }
func (*fake) Scan(context.Context, scan.Request) (scan.Scan, error) {
	return nil, errors.New("a fake has no rows")
}

// tables has large, of 100 MB, small, of 1 KB, and wide, of 40 columns and 100 MB.
type tables struct{}

func (tables) TableNames(context.Context) ([]string, error) { return nil, nil }

func (t tables) Files(ctx context.Context, paths []string, _ string) (logical.Table, error) {
	return t.Table(ctx, paths[0])
}

func (tables) Table(_ context.Context, name string) (logical.Table, error) {
	t := &fake{Table: scan.Table{Name: name}, bytes: 100 << 20}
	add := func(name string, kind vector.Kind) {
		t.Columns = append(t.Columns, scan.Column{Name: name, Type: vector.Of(kind), Nullable: true})
	}
	add("a", vector.BigInt)
	add("b", vector.Varchar)
	add("c", vector.Double)
	switch name {
	case "large":
	case "small":
		t.bytes = 1 << 10
	case "wide":
		for i := range 37 {
			add("w"+string(rune('a'+i%26))+string(rune('a'+i/26)), vector.BigInt)
		}
	default:
		return nil, &errs.NotFoundError{Kind: "table", Name: name}
	}
	return t, nil
}
