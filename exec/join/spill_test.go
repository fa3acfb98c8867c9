package join_test

import (
	"context"
	"testing"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/exec/join"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// twoColumns is the schema of generated.
var twoColumns = vector.Schema{{Name: "k", Type: vector.Of(vector.BigInt)}, {Name: "v", Type: vector.Of(vector.BigInt)}}

// generated is an operator of the rows key(i), i for from <= i < to.
type generated struct {
	from, to int64
	key      func(i int64) int64
}

func (g *generated) Schema() vector.Schema { return twoColumns }
func (g *generated) Close() error          { return nil }

func (g *generated) Next(ctx context.Context) (*vector.Batch, error) {
	n := min(vector.BatchSize, g.to-g.from)
	if err := ctx.Err(); n <= 0 || err != nil {
		return nil, err
	}
	k, v := vector.New(twoColumns[0].Type, int(n)), vector.New(twoColumns[1].Type, int(n))
	for i := range n {
		k.I64[i], v.I64[i] = g.key(g.from+i), g.from+i
	}
	g.from += n
	return &vector.Batch{Len: int(n), Cols: []*vector.Vector{k, v}}, nil
}

// halves are two operators of n rows together.
func halves(n int64, key func(i int64) int64) []exec.Operator {
	return []exec.Operator{&generated{0, n / 2, key}, &generated{n / 2, n, key}}
}

// runLarge joins on k with a memory limit and returns the number of rows and the sums
// of the columns.
func runLarge(t *testing.T, limit int64, spec join.Spec, probe, build []exec.Operator) (rows int64, sums []int64) {
	t.Helper()
	leaktest.Check(t)
	k := expr.NewColumn(0, "k", twoColumns[0].Type)
	if spec.Order == nil {
		spec.Keys = []join.Key{{Probe: k, Build: k, Null: hashtable.Equals}}
	}
	spec.Schema = twoColumns
	if spec.Result == join.Pairs {
		spec.Schema = append(spec.Schema[:2:2], twoColumns...)
	}
	env := exec.Env{Budget: quota.New(limit), TempDir: t.TempDir()}
	op := exec.NewGather(join.New(env, spec, probe, build))
	defer op.Close()
	sums = make([]int64, len(spec.Schema))
	for b := range exectest.Batches(t, op) {
		rows += int64(b.Rows())
		for c, v := range b.Cols {
			flat, err := v.Flatten(nil)
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Rows() {
				if row := b.Row(i); !flat.IsNull(row) {
					sums[c] += flat.I64[row]
				}
			}
		}
	}
	return rows, sums
}

func rowsOf(t *testing.T) int64 {
	if testing.Short() {
		return 200_000
	}
	return 5_000_000
}

// TestLarge joins 5 million rows with 5 million in 64 MiB. The keys of the build side
// are all even numbers below 2n, each once and in another order; those of the probe
// side are the numbers below n.
func TestLarge(t *testing.T) {
	n := rowsOf(t)
	limit := 64 << 20 * n / 5_000_000
	build := halves(n, func(i int64) int64 { return i * 7_368_787 % n * 2 }) // a prime, so all of them
	probe := halves(n, func(i int64) int64 { return n - 1 - i })
	rows, sums := runLarge(t, limit, join.Spec{}, probe, build)
	half := n / 2
	even := half * (half - 1) // 0 + 2 + 4 + ... + n-2
	if rows != half || sums[0] != even || sums[2] != even || sums[1] != half*(n-1)-even {
		t.Errorf("%d rows with sums %d, want %d, %d", rows, sums, half, even)
	}
}

// TestSkew joins rows of which half have one key, on both sides; each of them is kept
// once.
func TestSkew(t *testing.T) {
	n := rowsOf(t) / 4
	skewed := func(i int64) int64 {
		if i%2 == 0 {
			return -1
		}
		return i
	}
	limit := 16 << 20 * n / 5_000_000 * 4
	rows, sums := runLarge(t, limit, join.Spec{Result: join.MatchedProbe}, halves(n, skewed), halves(n, skewed))
	if rows != n || sums[1] != n*(n-1)/2 {
		t.Errorf("semi: %d rows, sum %d", rows, sums[1])
	}
	rows, _ = runLarge(t, limit, join.Spec{Result: join.UnmatchedProbe}, halves(n, skewed), halves(n, skewed))
	if rows != 0 {
		t.Errorf("anti: %d rows", rows)
	}
	// One probe row of the frequent key meets all n/2 of the build side.
	one := []exec.Operator{&generated{0, 1, skewed}}
	rows, sums = runLarge(t, limit, join.Spec{KeepBuild: true}, one, halves(n, skewed))
	if rows != n || sums[3] != n*(n-1)/2 {
		t.Errorf("outer: %d rows, sum %d", rows, sums[3])
	}
}

// TestSkews joins rows that have one of two keys, of which no one fits into memory, with rows of
// which a few have these keys: several workers make blocks at a time.
func TestSkews(t *testing.T) {
	n := rowsOf(t) / 4
	skewed := func(i int64) int64 {
		if i%4 < 2 {
			return -1 - i%2
		}
		return i
	}
	limit := 16 << 20 * n / 5_000_000 * 2
	rows, sums := runLarge(t, limit, join.Spec{Result: join.MatchedProbe}, halves(n, skewed), halves(n, skewed))
	if rows != n || sums[1] != n*(n-1)/2 {
		t.Errorf("semi: %d rows, sum %d", rows, sums[1])
	}
}

// TestNearestSpills joins each number with the nearest even one, of which there are more than fit
// into memory, without keys and with all rows of one key.
func TestNearestSpills(t *testing.T) {
	defer join.SetFreeBytes(10_000)()
	n := rowsOf(t) / 16
	if vector.BatchSize < 100 {
		n /= 8
	}
	k := expr.NewColumn(0, "k", twoColumns[0].Type)
	zero := exectest.Must(t)(expr.NewArith(expr.OpMul, k, expr.NewConst(vector.IntScalar(0))))
	for op, add := range map[expr.Op]int64{expr.OpGe: 0, expr.OpGt: -2, expr.OpLe: 0, expr.OpLt: 2} {
		for _, keys := range [][]join.Key{nil, {{Probe: zero, Build: zero, Null: hashtable.Equals}}} {
			spec := join.Spec{Keys: keys, Order: &join.Order{Build: k, Nearest: true, Bounds: []join.Bound{{Op: op, Probe: k}}}}
			build := halves(n, func(i int64) int64 { return i * 7_368_787 % n * 2 }) // a prime, so all of them
			rows, sums := runLarge(t, n*20, spec, halves(n/2, func(i int64) int64 { return 4*i + 2 }), build)
			want := n / 2
			if 4*want-2+add >= 2*n { // the last one has none
				want--
			}
			if sum := 2 * want * want; rows != want || sums[0] != sum || sums[2] != sum+add*want {
				t.Errorf("%v, %d keys: %d rows with sums %d, want %d, %d", op, len(keys), rows, sums, want, sum)
			}
		}
	}
}
