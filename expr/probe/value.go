package probe

import (
	"math"
	"sync"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// value is an expression that computes its domain over a set of rows.
type value interface {
	domain(get func(column int) *Summary) domain
}

func buildValue(e expr.Expr) value {
	switch e := e.(type) {
	case *expr.Const:
		return point{pointDomain(e.Value)}
	case *expr.Column:
		return column{e.Index, e.T}
	case *expr.Guarded:
		return guarded{buildValue(e.X), truth{buildValue(e.Fails)}}
	case *expr.Call:
		if v := buildSpatialValue(e); v != nil {
			return v
		}
		if e.Function.Near > 0 && isWide(e.T) && isWide(e.Args[len(e.Args)-1].Type()) {
			return near{buildValue(e.Args[len(e.Args)-1]), e.T, vector.Int128From(e.Function.Near), buildAny(e)}
		}
	}
	if m, ok := buildMonotone(e); ok {
		return m
	}
	return buildAny(e)
}

type point struct{ d domain }

func (v point) domain(func(int) *Summary) domain { return v.d }

type column struct {
	index int
	t     vector.Type
}

func (v column) domain(get func(int) *Summary) domain { return summaryDomain(get(v.index), v.t) }

// guarded is a value that raises an error where a condition is TRUE.
type guarded struct {
	value
	fails condition
}

func (v guarded) domain(get func(int) *Summary) domain {
	d := v.value.domain(get)
	d.fails = d.fails || v.fails.test(get)&(canTrue|canFail) != 0
	return d
}

// anyValue is an expression whose value is unknown; only whether it may fail is known: by
// itself, or by one of its operands.
type anyValue struct {
	fails    bool
	operands []value // those that may fail
}

func buildAny(e expr.Expr) value {
	if !expr.CanFail(e) {
		return anyValue{}
	}
	switch e.(type) {
	case *expr.Arith, *expr.Neg, *expr.Cast, *expr.Call, *expr.Case, *expr.Coalesce:
	default:
		return anyValue{fails: true}
	}
	if expr.CanFailItself(e) {
		return anyValue{fails: true}
	}
	v := anyValue{}
	for _, c := range e.Children() {
		if c != nil && expr.CanFail(c) {
			v.operands = append(v.operands, buildValue(c))
		}
	}
	return v
}

func isWide(t vector.Type) bool { return t.IsTimestamp() && t.Unit == vector.Wide }

// near is a timestamp that is not far from another one, as the same time in another zone.
type near struct {
	of  value
	t   vector.Type
	by  vector.Int128
	any value // whether it fails
}

func (v near) domain(get func(int) *Summary) domain {
	of, out := v.of.domain(get), v.any.domain(get)
	move := func(s *vector.Scalar, by vector.Int128) *vector.Scalar {
		if s == nil || !isWide(s.Type) || s.I128.Hi > math.MaxInt64/2 || s.I128.Hi < math.MinInt64/2 {
			return nil
		}
		return &vector.Scalar{Type: v.t, I128: s.I128.Add(by)}
	}
	out.lo, out.hi = move(of.lo, vector.Int128From(0).Sub(v.by)), move(of.hi, v.by)
	return out
}

func (v anyValue) domain(get func(int) *Summary) domain {
	out := domain{null: true, value: true, fails: v.fails}
	for _, o := range v.operands {
		out.fails = out.fails || o.domain(get).fails
	}
	return out
}

// monotone is a function that rises or falls with each of its arguments, so it has
// its least and greatest values at two corners of their domains. The code that
// evaluates rows evaluates the corners too, so rounding and overflow are the same.
//
// The function may fail only beyond some bound: if it fails at neither corner, it
// fails for no row. It is NULL only for NULL arguments.
type monotone struct {
	args       []value
	slopes     []expr.Slope
	wholeDays  bool // see buildShift
	corners    bool // a product of two: the ends are at any two of the four corners
	floats     bool // arguments may be NaN
	fails      bool // evaluation may raise an error
	evaluators *sync.Pool
	inverse    *inverse // of an injective cast; else nil
}

// newMonotone returns false if the function cannot be compiled for its arguments alone.
func newMonotone(e expr.Expr, slopes ...expr.Slope) (*monotone, bool) {
	m := &monotone{slopes: slopes}
	operands := make([]expr.Expr, 0, len(slopes))
	for i, c := range e.Children() {
		m.args = append(m.args, buildValue(c))
		if _, constant := c.(*expr.Const); !constant {
			c = expr.NewColumn(i, "", c.Type())
		}
		m.floats = m.floats || c.Type().IsFloat()
		operands = append(operands, c)
	}
	f, err := expr.Rebuild(e, operands)
	if err != nil || !f.Type().Equal(e.Type()) || len(operands) != len(slopes) {
		return nil, false
	}
	m.fails = expr.CanFail(f)
	m.evaluators = &sync.Pool{New: func() any { return expr.NewBounded(f) }}
	return m, true
}

func (m *monotone) domain(get func(int) *Summary) domain {
	out := domain{value: true}
	low, high := make([]*vector.Scalar, len(m.args)), make([]*vector.Scalar, len(m.args))
	for i, a := range m.args {
		d := a.domain(get)
		out.null = out.null || d.null
		out.value = out.value && d.value
		out.fails = out.fails || d.fails
		if m.wholeDays {
			d.lo, d.hi = startOfDay(d.lo), endOfDay(d.hi)
		}
		if m.slopes[i] == expr.Falling {
			d.lo, d.hi = d.hi, d.lo
			if m.floats && (d.lo == nil || d.lo.IsNaN()) { // NaN, the greatest argument, yields NaN, the greatest result
				d.lo, d.hi = nil, nil
			}
		}
		low[i], high[i] = d.lo, d.hi
	}
	if !out.value {
		return out
	}
	var lowKnown, highKnown bool
	if m.corners {
		lowKnown = m.widest(&out, low, high)
		highKnown = lowKnown
	} else {
		out.lo, lowKnown = m.corner(low)
		out.hi, highKnown = m.corner(high)
	}
	if !lowKnown || !highKnown {
		out.fails = out.fails || m.fails
		out.null = true // TRY_CAST
	}
	if m.inverse != nil {
		out.bloom = m.inverse.through(m.args[0].domain(get).bloom)
	}
	return out
}

// widest sets the bounds of a product to the least and the greatest of its four corners; false if one of
// them is not known.
func (m *monotone) widest(out *domain, low, high []*vector.Scalar) bool {
	for _, args := range [][]*vector.Scalar{low, high, {low[0], high[1]}, {high[0], low[1]}} {
		s, ok := m.corner(args)
		if !ok {
			out.lo, out.hi = nil, nil
			return false
		}
		if c, ok := orderOf(s, out.lo); ok && c < 0 || out.lo == nil {
			out.lo = s
		}
		if c, ok := orderOf(s, out.hi); ok && c > 0 || out.hi == nil {
			out.hi = s
		}
	}
	return true
}

func orderOf(a, b *vector.Scalar) (int, bool) {
	if a == nil || b == nil {
		return 0, false
	}
	return expr.OrderScalars(a, b)
}

// corner evaluates the function; it returns false if that fails or an argument is
// unknown.
func (m *monotone) corner(args []*vector.Scalar) (*vector.Scalar, bool) {
	b := &vector.Batch{Len: 1, Cols: make([]*vector.Vector, len(args))}
	for i, a := range args {
		if a == nil {
			return nil, false
		}
		b.Cols[i] = vector.NewConstant(*a, 1)
	}
	ev := m.evaluators.Get().(*expr.Evaluator)
	defer m.evaluators.Put(ev)
	v, err := ev.Eval(b)
	if err != nil || v.IsNull(0) {
		return nil, false
	}
	s := v.Get(0)
	return &s, true
}

// startOfDay returns the first instant of a timestamp's day; nil if there is none.
func startOfDay(s *vector.Scalar) *vector.Scalar {
	if s == nil || !s.Type.IsTimestamp() || s.Type.Unit == vector.Wide {
		return keepUnlessTimestamp(s)
	}
	day := s.Type.Unit.PerSecond() * 86400
	out := *s
	rest := out.I64 % day
	if rest < 0 {
		rest += day
	}
	if out.I64-rest > out.I64 { // below all timestamps
		return nil
	}
	out.I64 -= rest
	return &out
}

// endOfDay returns the last instant of a timestamp's day; nil if there is none.
func endOfDay(s *vector.Scalar) *vector.Scalar {
	start := startOfDay(s)
	if start == nil || !start.Type.IsTimestamp() {
		return start
	}
	start.I64 += start.Type.Unit.PerSecond()*86400 - 1
	if start.I64 < s.I64 {
		return nil
	}
	return start
}

func keepUnlessTimestamp(s *vector.Scalar) *vector.Scalar {
	if s != nil && s.Type.IsTimestamp() {
		return nil
	}
	return s
}
