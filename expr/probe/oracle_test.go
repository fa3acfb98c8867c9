package probe

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function"
	"github.com/parquetsql/parquetsql/vector"
)

// The oracle: for random conjuncts over random rows, and summaries that are true but
// more or less detailed, the verdict must agree with the results of evaluating the
// conjunct row by row.

// generator makes random expressions over two columns.
type generator struct {
	*rand.Rand
	all  []oracleColumn
	cols [2]oracleColumn
}

func (g *generator) column() (expr.Expr, oracleColumn) {
	i := g.Intn(2)
	return expr.NewColumn(i, fmt.Sprintf("c%d", i), g.cols[i].t), g.cols[i]
}

// value is a column wrapped in random functions, and a column type whose constants
// can be compared with it.
func (g *generator) value() (expr.Expr, oracleColumn) {
	e, c := g.column()
	for g.Intn(2) == 0 {
		f, d, err := g.wrap(e, c)
		if err != nil || f == nil {
			break
		}
		e, c = f, d
	}
	return e, c
}

func (g *generator) wrap(e expr.Expr, c oracleColumn) (expr.Expr, oracleColumn, error) {
	other := g.all[g.Intn(len(g.all))]
	pick := func(f expr.Expr, err error) (expr.Expr, oracleColumn, error) {
		return f, g.constantsOf(f, c, other), err
	}
	switch g.Intn(10) {
	case 8:
		if g.Intn(3) == 0 {
			zone := expr.NewConst(vector.StringScalar([]string{"UTC", "America/New_York", "Pacific/Kiritimati"}[g.Intn(3)]))
			return pick(function.New("TIMEZONE", []expr.Expr{zone, e}))
		}
		part := expr.NewConst(vector.StringScalar([]string{"century", "year", "quarter", "month", "week", "day", "hour", "second", "microsecond"}[g.Intn(9)]))
		args := []expr.Expr{part, e, g.constant(c)}
		if g.Intn(2) == 0 {
			args[1], args[2] = args[2], args[1]
		} else if g.Intn(2) == 0 {
			args[2], _ = g.column()
		}
		return pick(function.New("DATE_DIFF", args))
	case 0:
		return pick(expr.NewCast(e, other.t, g.Intn(3) == 0))
	case 1:
		return pick(expr.NewNeg(e))
	case 2:
		return pick(expr.NewArith(expr.OpAdd, e, expr.NewConst(g.small())))
	case 3:
		return pick(expr.NewArith([]expr.Op{expr.OpSub, expr.OpMul, expr.OpDiv, expr.OpIntDiv, expr.OpMod}[g.Intn(5)], e, expr.NewConst(g.small())))
	case 4:
		span := vector.IntervalValue{Months: int64(g.Intn(3) - 1), Days: int64(g.Intn(3) - 1), Micros: int64(g.Intn(2)) * 3600e6}
		by := expr.NewConst(vector.Scalar{Type: vector.Of(vector.Interval), Interval: span})
		return pick(expr.NewArith([]expr.Op{expr.OpAdd, expr.OpSub}[g.Intn(2)], e, by))
	case 5:
		return pick(function.New([]string{"YEAR", "LAST_DAY", "FLOOR", "CEIL", "ROUND", "ABS", "LENGTH", "UPPER", "MONTH", "DATE", "TRUNC", "SIGN", "LOWER"}[g.Intn(13)], []expr.Expr{e}))
	case 6:
		part := expr.NewConst(vector.StringScalar([]string{"millennium", "decade", "year", "quarter", "month", "week", "day", "hour", "minute"}[g.Intn(9)]))
		return pick(function.New("DATE_TRUNC", []expr.Expr{part, e}))
	case 7:
		return pick(function.New("ROUND", []expr.Expr{e, expr.NewConst(vector.IntScalar(int64(g.Intn(3) - 1)))}))
	}
	second, _ := g.column()
	return pick(expr.NewArith([]expr.Op{expr.OpAdd, expr.OpSub, expr.OpMul}[g.Intn(3)], e, second))
}

// constantsOf returns values close to the results of f.
func (g *generator) constantsOf(f expr.Expr, c, other oracleColumn) oracleColumn {
	if f == nil {
		return c
	}
	for _, o := range append([]oracleColumn{c, other}, g.all...) {
		if o.t.Equal(f.Type()) {
			return o
		}
	}
	return c
}

func (g *generator) small() vector.Scalar {
	switch g.Intn(4) {
	case 0:
		return vector.FloatScalar(float64(g.Intn(5)-2) / 2)
	case 1:
		return vector.Scalar{Type: vector.DecimalType(3, 1), I64: int64(g.Intn(41) - 20)}
	}
	return vector.IntScalar(int64(g.Intn(7) - 3))
}

func (g *generator) constant(c oracleColumn) expr.Expr {
	if g.Intn(25) == 0 {
		return expr.NewConst(vector.NullOf(c.t))
	}
	if g.Intn(8) == 0 { // a value of another type, or a text
		o := g.all[g.Intn(len(g.all))]
		if s := o.values[g.Intn(len(o.values))]; g.Intn(2) == 0 {
			return expr.NewConst(s)
		}
		return expr.NewConst(vector.StringScalar([]string{"2024-01-31 09:00:00", "2024-02-01", "1.5", "NaN", "-0", "09:00:00", "2", "1 month"}[g.Intn(8)]))
	}
	return expr.NewConst(c.values[g.Intn(len(c.values))])
}

func (g *generator) condition(depth int) (expr.Expr, error) {
	if depth > 0 && g.Intn(2) == 0 {
		a, err := g.condition(depth - 1)
		if err != nil {
			return nil, err
		}
		b, err := g.condition(depth - 1)
		if err != nil {
			return nil, err
		}
		switch g.Intn(4) {
		case 0:
			return expr.NewAnd(a, b)
		case 1:
			return expr.NewOr(a, b)
		case 2:
			return expr.NewNot(a)
		}
		return expr.NewIsBool(a, g.Intn(2) == 0, g.Intn(2) == 0)
	}
	x, c := g.value()
	switch g.Intn(10) {
	case 0:
		return expr.NewIsNull(x, g.Intn(2) == 0), nil
	case 1:
		var list []expr.Expr
		for range 1 + g.Intn(4) + g.Intn(2)*g.Intn(40) {
			list = append(list, g.constant(c))
		}
		return expr.NewIn(x, list, g.Intn(2) == 0)
	case 2:
		return expr.NewBetween(x, g.constant(c), g.constant(c), g.Intn(2) == 0)
	case 3:
		pattern := []string{"a%", "ab%", "%", "a", "a_", "\xff%", "a\xff%", "", "a%c", "!%%", "a!%"}[g.Intn(11)]
		var escape expr.Expr
		if strings.Contains(pattern, "!") {
			escape = expr.NewConst(vector.StringScalar("!"))
		}
		return expr.NewLike(x, expr.NewConst(vector.StringScalar(pattern)), escape, g.Intn(6) == 0, g.Intn(3) == 0)
	case 4:
		return expr.NewDistinctFrom(x, g.constant(c), g.Intn(2) == 0)
	case 5:
		y, _ := g.column()
		return expr.NewCompare(expr.OpEq+expr.Op(g.Intn(6)), x, y)
	}
	return expr.NewCompare(expr.OpEq+expr.Op(g.Intn(6)), x, g.constant(c))
}

// rows returns a random vector of the column's values.
func (g *generator) rows(c oracleColumn, n int) *vector.Vector {
	v := vector.New(c.t, n)
	some := 1 + g.Intn(len(c.values)) // only some of the values, so that bounds are narrow
	from := g.Intn(len(c.values))
	nulls := g.Intn(4)
	for i := range n {
		v.Set(i, c.values[(from+g.Intn(some))%len(c.values)])
		if nulls == 0 && g.Intn(2) == 0 || nulls == 1 && g.Intn(20) > 0 {
			v.SetNull(i)
		}
	}
	return v
}

// summarize returns a summary that is true of v but randomly incomplete.
func (g *generator) summarize(v *vector.Vector, c oracleColumn) *Summary {
	s := &Summary{Rows: int64(v.Len), MayHaveNaN: c.t.IsFloat()}
	nan := false
	var present []vector.Scalar
	for i := range v.Len {
		x := v.Get(i)
		if x.Null {
			s.Nulls++
			continue
		}
		present = append(present, x)
		if x.IsNaN() {
			nan = true
			continue
		}
		if order, _ := orderOf(s.Min, &x); s.Min == nil || order > 0 {
			s.Min = &x
		}
		if order, _ := orderOf(s.Max, &x); s.Max == nil || order < 0 {
			s.Max = &x
		}
	}
	if !nan && g.Intn(2) == 0 {
		s.MayHaveNaN = false
	}
	if g.Intn(5) == 0 {
		s.Nulls = -1
	}
	g.blur(s, c)
	g.attach(s, c, present)
	return s
}

// blur drops or widens bounds.
func (g *generator) blur(s *Summary, c oracleColumn) {
	for _, bound := range []**vector.Scalar{&s.Min, &s.Max} {
		wider := c.values[g.Intn(len(c.values))]
		order, _ := orderOf(*bound, &wider)
		switch g.Intn(6) {
		case 0:
			*bound = nil
		case 1:
			if *bound != nil && !wider.IsNaN() && (bound == &s.Min && order > 0 || bound == &s.Max && order < 0) {
				*bound = &wider
			}
		}
	}
}

// attach adds a dictionary and a bloom filter, each with a value that no row has.
func (g *generator) attach(s *Summary, c oracleColumn, present []vector.Scalar) {
	lie := c.values[g.Intn(len(c.values))]
	if g.Intn(4) == 0 {
		dict := append([]vector.Scalar(nil), present...)
		if g.Intn(2) == 0 {
			dict = append(dict, lie)
		}
		s.Dict = vector.New(c.t, len(dict))
		for i, x := range dict {
			s.Dict.Set(i, x)
		}
	}
	if g.Intn(2) == 0 {
		s.Bloom = func(x vector.Scalar) bool {
			for _, p := range append(present, lie) {
				if order, ok := expr.OrderScalars(&p, &x); !ok || order == 0 {
					return true
				}
			}
			return false
		}
	}
}

// TestProbeOracle checks by random trials that pruning is sound.
func TestProbeOracle(t *testing.T) {
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	g := &generator{Rand: rand.New(rand.NewSource(seed)), all: oracleColumns()}
	counts := map[Verdict]int{}
	cases, proved := 4000, 0
	if n, err := strconv.Atoi(os.Getenv("PROBE_CASES")); err == nil {
		cases = n // for a long run
	}
	for range cases {
		g.cols = [2]oracleColumn{g.all[g.Intn(len(g.all))], g.all[g.Intn(len(g.all))]}
		e, err := g.condition(2)
		if err != nil || e.Type().Kind != vector.Boolean {
			continue
		}
		p := New(t.Context(), e)
		if p == nil {
			continue
		}
		for range 4 {
			n := 1 + g.Intn(6)
			b := &vector.Batch{Len: n, Cols: []*vector.Vector{g.rows(g.cols[0], n), g.rows(g.cols[1], n)}}
			known := []*Summary{g.summarize(b.Cols[0], g.cols[0]), g.summarize(b.Cols[1], g.cols[1])}
			get := func(i int) *Summary { return known[i] }
			verdict := p.Test(get)
			counts[verdict]++
			if !p.Fails(get) {
				if expr.CanFail(e) {
					proved++
				}
				for row := range n {
					one := *b
					one.Sel = []int32{int32(row)}
					if _, err := expr.NewEvaluator(e).Eval(&one); err != nil {
						t.Fatalf("seed %d: %v over %s, %s fails: %v", seed, e, describe(b.Cols[0], known[0]), describe(b.Cols[1], known[1]), err)
					}
				}
			}
			if why := contradicts(verdict, e, b); why != "" {
				t.Fatalf("seed %d: %v over %s, %s is %v, but %s", seed, e, describe(b.Cols[0], known[0]), describe(b.Cols[1], known[1]), verdict, why)
			}
		}
	}
	t.Logf("verdicts: %v, %d times a condition that might fail does not", counts, proved)
	if counts[None] < counts[Some]/50 || counts[All] < counts[Some]/50 || proved < counts[Some]/50 {
		t.Errorf("too few verdicts are decided: %v", counts)
	}
}

// contradicts evaluates e row by row and describes the first row that contradicts
// the verdict; it returns "" if there is none.
func contradicts(verdict Verdict, e expr.Expr, b *vector.Batch) string {
	if verdict == Some {
		return ""
	}
	for row := range b.Len {
		one := *b
		one.Sel = []int32{int32(row)}
		v, err := expr.NewEvaluator(e).Eval(&one)
		switch {
		case err != nil:
			return fmt.Sprintf("row %d fails: %v", row, err)
		case v.IsNull(row) || !v.Get(row).Bool:
			if verdict == All {
				return fmt.Sprintf("row %d is not TRUE", row)
			}
		case verdict == None:
			return fmt.Sprintf("row %d is TRUE", row)
		}
	}
	return ""
}

func describe(v *vector.Vector, s *Summary) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v[", v.Type)
	for i := range v.Len {
		x := v.Get(i)
		fmt.Fprintf(&b, " %s", show(&x))
	}
	fmt.Fprintf(&b, " ] (nulls %d, min %s, max %s, NaN %v, dict %v, bloom %v)", s.Nulls, show(s.Min), show(s.Max), s.MayHaveNaN, s.Dict != nil, s.Bloom != nil)
	return b.String()
}

func show(s *vector.Scalar) string {
	switch {
	case s == nil:
		return "?"
	case s.Null:
		return "NULL"
	}
	return expr.NewConst(*s).String()
}
