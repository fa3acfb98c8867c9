package stages_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/planner/stages"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/vector"
)

var update = flag.Bool("update", false, "write the stages of testdata anew")

// TestCuts compares stages with testdata/cuts.txt: queries, each with its stages behind it. A line before the
// query says which option is another one. With -update it writes the stages; the author reads whether they
// are right.
func TestCuts(t *testing.T) {
	const file = "testdata/cuts.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		o := stages.Options{WholeBytes: 128 << 20, SmallBytes: 4 << 20, BroadcastBytes: 64 << 20, Partitions: 10}
		head, rest, _ := strings.Cut(block, "\n")
		query, want := head, rest
		if option, ok := strings.CutPrefix(head, "-- "); ok {
			query, want, _ = strings.Cut(rest, "\n")
			switch option {
			case "one partition":
				o.Partitions = 1
			case "no broadcast":
				o.BroadcastBytes = -1
			case "allow_gather":
				o.AllowGather = true
			default:
				t.Fatalf("there is no option %q", option)
			}
			head += "\n" + query
		}
		got := cut(t, query, o)
		if out = append(out, head+"\n"+got); got != want && !*update {
			t.Errorf("%s\n got\n%s\nwant\n%s", head, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// cut is the stages of a query, or the error.
func cut(t *testing.T, query string, o stages.Options) string {
	t.Helper()
	tree, _, err := dialect.Parse(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	q, err := bind.Query(t.Context(), &bind.Env{Catalog: tables{}, Now: time.Unix(0, 0)}, tree.(*ast.Query))
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	q.Statistics = func(n logical.Table) scan.Statistics {
		if f, ok := n.(*fake); ok {
			return f.rows
		}
		return nil
	}
	if q, err = rewrite.Apply(t.Context(), q); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	o.Bytes = func(n *logical.Scan) (int64, bool) {
		f, ok := n.Table.(*fake)
		if !ok {
			return 0, false
		}
		return f.bytes, true
	}
	plan, err := stages.Cut(q, o)
	if err != nil {
		if !errors.Is(err, errs.ErrUnsupported) || !errors.Is(err, stages.ErrGather) {
			t.Errorf("%s: %v", query, err)
		}
		return "error: " + err.Error()
	}
	return strings.Join(plan.Text(func(n logical.Node) []string { return explain.Logical(n, nil) }, func(*stages.Stage) string { return "" }), "\n")
}

// rows are the statistics of a table with a key k of different values, and 1000 values in each other column.
type rows float64

func (r rows) Rows() float64 { return float64(r) }

func (r rows) Column(i int) scan.ColumnStatistics {
	if i == 0 {
		return scan.ColumnStatistics{Distinct: float64(r)}
	}
	return scan.ColumnStatistics{Distinct: 1000}
}

type fake struct {
	scan.Table
	bytes int64
	rows  rows
}

func (f *fake) Bytes() int64                               { return f.bytes }
func (*fake) Answers() bool                                { return true }
func (f *fake) Statistics(context.Context) scan.Statistics { return f.rows }
func (*fake) Scan(context.Context, scan.Request) (scan.Scan, error) {
	return nil, errors.New("a fake has no rows")
}

// tables has huge, of 100 GB and a billion rows, big, of 1 GB and ten million, and small, of 1 MB and a thousand.
type tables struct{}

func (tables) TableNames(context.Context) ([]string, error) { return nil, nil }

func (t tables) Files(ctx context.Context, paths []string, _ string) (logical.Table, error) {
	return t.Table(ctx, paths[0])
}

func (tables) Table(_ context.Context, name string) (logical.Table, error) {
	t := &fake{Table: scan.Table{Name: name}}
	for i, kind := range []vector.Kind{vector.BigInt, vector.BigInt, vector.Double, vector.Varchar} {
		t.Columns = append(t.Columns, scan.Column{Name: fmt.Sprintf("%c", "kvxs"[i]), Type: vector.Of(kind)})
	}
	switch name {
	case "huge":
		t.bytes, t.rows = 100<<30, 1e9
	case "big":
		t.bytes, t.rows = 1<<30, 1e7
	case "small":
		t.bytes, t.rows = 1<<20, 1e3
	default:
		return nil, &errs.NotFoundError{Kind: "table", Name: name}
	}
	return t, nil
}
