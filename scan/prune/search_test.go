package prune

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan/selection"
	"github.com/parquetsql/parquetsql/vector"
)

// countingProbe counts the calls of Test.
type countingProbe struct {
	probe.Probe
	asked int
}

func (c *countingProbe) Test(get func(int) *probe.Summary) probe.Verdict {
	c.asked++
	return c.Probe.Test(get)
}

// pageRows is how many rows the pages of these tests have.
const pageRows = 10

// indexOf is an index of INT32 bounds; a page without bounds has NULLs only.
func indexOf(boundary fileformat.BoundaryOrder, bounds [][]int32, nulls []int64) *Index {
	x := &Index{ColumnIndex: &fileformat.ColumnIndex{Order: fileformat.OrderType, Boundary: boundary, NullCounts: nulls}}
	for _, b := range bounds {
		lo, hi := []byte{}, []byte{}
		if b != nil {
			lo, hi = int32s(b[0]), int32s(b[1])
		}
		x.NullPages, x.Min, x.Max = append(x.NullPages, b == nil), append(x.Min, lo), append(x.Max, hi)
	}
	return x
}

// pagesOf are the pages of an index as one query sees them.
func pagesOf(c *Column, x *Index) *Pages {
	pages := int64(len(x.NullPages))
	offsets := &fileformat.OffsetIndex{}
	for i := range pages {
		offsets.Pages = append(offsets.Pages, fileformat.PageLocation{FirstRow: i * pageRows})
	}
	return c.pages(offsets, x, pages*pageRows, pageTrust{bounds: true, nulls: true, nullPages: true})
}

// randomBounds ascend or descend, with pages of NULLs anywhere; lie puts one
// page out of order.
func randomBounds(r *rand.Rand, descending, lie bool) (bounds [][]int32, nulls []int64) {
	at := int32(0)
	for range 1 + r.Intn(40) {
		if r.Intn(5) == 0 {
			bounds, nulls = append(bounds, nil), append(nulls, 10)
			continue
		}
		at += int32(r.Intn(4))
		bounds, nulls = append(bounds, []int32{at, at + int32(r.Intn(3))}), append(nulls, int64(r.Intn(2)*r.Intn(3)))
		at = bounds[len(bounds)-1][1]
	}
	if descending {
		slices.Reverse(bounds)
		slices.Reverse(nulls)
	}
	if i, j := r.Intn(len(bounds)), r.Intn(len(bounds)); lie {
		bounds[i], bounds[j] = bounds[j], bounds[i]
		nulls[i], nulls[j] = nulls[j], nulls[i]
	}
	return bounds, nulls
}

func randomProbe(r *rand.Rand, column expr.Expr) probe.Probe {
	constant := func() expr.Expr {
		return expr.NewConst(vector.Scalar{Type: vector.Of(vector.Integer), I64: int64(r.Intn(90) - 5)})
	}
	e := must(expr.NewCompare(expr.OpEq+expr.Op(r.Intn(6)), column, constant()))
	switch r.Intn(5) {
	case 0:
		e = expr.NewIsNull(column, r.Intn(2) == 0)
	case 1:
		e = must(expr.NewIn(column, []expr.Expr{constant(), constant(), constant()}, r.Intn(2) == 0))
	case 2:
		e = must(expr.NewOr(e, must(expr.NewBetween(column, constant(), constant(), false))))
	case 3:
		e = must(expr.NewDistinctFrom(column, constant(), r.Intn(2) == 0))
	}
	return probe.New(context.Background(), e)
}

func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}

// TestSearch: a search finds the same pages as a test of each page, for any declared
// and any real order.
func TestSearch(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	c := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{}), vector.Type{})
	column := expr.NewColumn(0, "c", vector.Of(vector.Integer))
	searched, lies := 0, 0
	for range 4000 {
		descending, lie := r.Intn(2) == 0, r.Intn(3) == 0
		bounds, nulls := randomBounds(r, descending, lie)
		order := fileformat.Ascending
		if descending != (r.Intn(10) == 0) {
			order = fileformat.Descending
		}
		if r.Intn(4) == 0 {
			nulls = nil
		}
		p, plain := pagesOf(c, indexOf(order, bounds, nulls)), pagesOf(c, indexOf(fileformat.Unordered, bounds, nulls))
		if plain.run != nil {
			t.Fatal("an order that nobody declared")
		}
		if p.run != nil {
			searched++
		} else {
			lies++
		}
		probe := randomProbe(r, column)
		rows := selection.Ranges(nil).Add(int64(r.Intn(50)), int64(50+r.Intn(100))).Add(200, int64(200+r.Intn(200)))
		got := ByPage(probe, rows, func(int) *Pages { return p }, nil)
		want := ByPage(probe, rows, func(int) *Pages { return plain }, nil)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, %v %v, nulls %v, of rows %v: %v, want %v", seed, probe, order, bounds, nulls, rows, got, want)
		}
	}
	if searched < 200 || lies < 200 {
		t.Errorf("%d searched, %d not", searched, lies)
	}
}

// TestSearchAsksFew: of thousands of pages in order only some dozens are tested.
func TestSearchAsksFew(t *testing.T) {
	c := leafColumn(t, optional(fileformat.Int32, fileformat.LogicalType{}), vector.Type{})
	column := expr.NewColumn(0, "c", vector.Of(vector.Integer))
	const n = 4096
	bounds, nulls := make([][]int32, n), make([]int64, n)
	for i := range bounds {
		bounds[i] = []int32{int32(i) * 10, int32(i)*10 + 9}
	}
	probe := &countingProbe{Probe: probe.New(context.Background(), must(expr.NewIn(column, []expr.Expr{
		expr.NewConst(vector.Scalar{Type: vector.Of(vector.Integer), I64: 5}), expr.NewConst(vector.Scalar{Type: vector.Of(vector.Integer), I64: 20005}),
	}, false)))}
	p := pagesOf(c, indexOf(fileformat.Ascending, bounds, nulls))
	got := ByPage(probe, selection.AllRows(n*pageRows), func(int) *Pages { return p }, nil)
	if fmt.Sprint(got) != "[{0 10} {20000 20010}]" || probe.asked > 60 {
		t.Errorf("%v, asked %d times", got, probe.asked)
	}
}

// BenchmarkByPage looks for one value in the pages of a cached index, as a repeated
// query does.
func BenchmarkByPage(b *testing.B) {
	n := &fileformat.Node{Name: "c", Path: []string{"c"}, Physical: fileformat.Int32}
	c := leafColumn(b, n, vector.Type{})
	column := expr.NewColumn(0, "c", vector.Of(vector.Integer))
	const count = 5000
	bounds := make([][]int32, count)
	for i := range bounds {
		bounds[i] = []int32{int32(i) * 10, int32(i)*10 + 9}
	}
	probe := probe.New(context.Background(), must(expr.NewCompare(expr.OpEq, column, expr.NewConst(vector.Scalar{Type: vector.Of(vector.Integer), I64: 31234}))))
	for _, order := range []fileformat.BoundaryOrder{fileformat.Unordered, fileformat.Ascending} {
		b.Run(order.String(), func(b *testing.B) {
			x := indexOf(order, bounds, nil)
			b.ReportAllocs()
			for b.Loop() {
				p := pagesOf(c, x)
				if got := ByPage(probe, selection.AllRows(count*pageRows), func(int) *Pages { return p }, nil); got.Rows() != pageRows {
					b.Fatal(got)
				}
			}
		})
	}
}
