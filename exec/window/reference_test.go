package window_test

import (
	"cmp"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/expr/window"
	"github.com/parquetsql/parquetsql/vector"
)

// compareKeys is the order of two rows.
func (c *testCase) compareKeys(a, b exectest.Row) int {
	for _, k := range c.order {
		x, y := a[k.column], b[k.column]
		switch {
		case x.Null && y.Null:
		case x.Null || y.Null:
			if x.Null == k.first {
				return -1
			}
			return 1
		default:
			if d := exectest.CompareScalars(x, y); d != 0 {
				if k.desc {
					return -d
				}
				return d
			}
		}
	}
	return 0
}

// reference is the rows with their results.
func (c *testCase) reference(rows []exectest.Row) (out []exectest.Row) {
	parts := map[string][]exectest.Row{}
	for _, r := range rows {
		key := ""
		for _, p := range c.partition {
			key += exectest.Text(r[p]) + "|"
		}
		parts[key] = append(parts[key], r)
	}
	for _, part := range parts {
		slices.SortStableFunc(part, c.compareKeys)
		c.groups = make([]int, len(part))
		for i := 1; i < len(part); i++ {
			c.groups[i] = c.groups[i-1]
			if c.compareKeys(part[i-1], part[i]) != 0 {
				c.groups[i]++
			}
		}
		for i := range part {
			row := slices.Clone(part[i])
			for _, call := range c.calls {
				row = append(row, c.result(call, part, i))
			}
			out = append(out, row)
		}
	}
	return out
}

// beyond reports whether row j lies before (sign -1) or behind (sign 1) the bound.
func (c *testCase) beyond(part []exectest.Row, i, j int, b testBound, sign int) bool {
	offset := int(b.offset)
	switch b.kind {
	case window.UnboundedPreceding, window.UnboundedFollowing:
		return false
	case window.CurrentRow:
		offset = 0
	case window.Preceding:
		offset = -offset
	}
	switch c.frame.unit {
	case window.Rows:
		return cmp.Compare(j, i+offset) == sign
	case window.Groups:
		return cmp.Compare(c.groups[j], c.groups[i]+offset) == sign
	}
	if b.kind == window.CurrentRow {
		return c.compareKeys(part[j], part[i]) == sign
	}
	k := c.order[0]
	x, y := part[i][k.column], part[j][k.column]
	if x.Null || y.Null {
		return c.compareKeys(part[j], part[i]) == sign
	}
	if k.desc {
		offset = -offset
	}
	order := compareFloats(number(y), number(x)+float64(offset))
	if k.desc {
		order = -order
	}
	return order == sign
}

func number(s vector.Scalar) float64 {
	if s.Type.Kind == vector.Decimal {
		return float64(s.I64) / 100
	}
	return float64(s.I64) + s.F64
}

func compareFloats(a, b float64) int {
	if a != a || b != b {
		return cmp.Compare(map[bool]int{true: 1}[a != a], map[bool]int{true: 1}[b != b])
	}
	return cmp.Compare(a, b)
}

// rows is the frame of row i.
func (c *testCase) rows(part []exectest.Row, i int) (out []exectest.Row) {
	for j, r := range part {
		peer := c.compareKeys(r, part[i]) == 0
		switch {
		case c.beyond(part, i, j, c.frame.start, -1), c.beyond(part, i, j, c.frame.end, 1):
		case c.frame.exclude == window.ExcludeRow && i == j:
		case c.frame.exclude == window.ExcludeGroup && peer:
		case c.frame.exclude == window.ExcludeTies && peer && i != j:
		default:
			out = append(out, r)
		}
	}
	return out
}

func (c *testCase) result(call testCall, part []exectest.Row, i int) vector.Scalar {
	peersBefore, peers := 0, 0
	for j := range part {
		switch d := c.compareKeys(part[j], part[i]); {
		case d < 0:
			peersBefore++
		case d == 0:
			peers++
		}
	}
	constant := func(n int) int64 { return int64(-1 - call.args[n]) }
	n := len(part)
	switch call.name {
	case "row_number":
		return vector.IntScalar(int64(i) + 1)
	case "rank":
		return vector.IntScalar(int64(peersBefore) + 1)
	case "dense_rank":
		return vector.IntScalar(int64(c.groups[i]) + 1)
	case "percent_rank":
		return vector.FloatScalar(float64(peersBefore) / math.Max(1, float64(n-1)))
	case "cume_dist":
		return vector.FloatScalar(float64(peersBefore+peers) / float64(n))
	case "ntile":
		// The row's number is dealt out: the first n%k parts have one row more.
		k, left := constant(0), int64(i)
		for part := int64(1); ; part++ {
			size := int64(n) / k
			if part <= int64(n)%k {
				size++
			}
			if left < size {
				return vector.IntScalar(part)
			}
			left -= size
		}
	case "lag", "lead":
		return c.shifted(call, part, i)
	}
	if call.fresh {
		return freshResult(call.call.Aggregate(), c.rows(part, i))
	}
	var list []vector.Scalar
	for _, r := range c.rows(part, i) {
		v := vector.BoolScalar(true)
		if len(call.args) > 0 {
			v = r[call.args[0]]
		}
		pass := !call.filter || !r[exectest.Bool].Null && r[exectest.Bool].Bool
		if pass && (!v.Null || call.values == nil && !call.o.IgnoreNulls) {
			list = append(list, v)
		}
	}
	at := 0
	switch {
	case call.values != nil:
		if call.o.Distinct {
			seen := map[string]bool{}
			list = slices.DeleteFunc(list, func(s vector.Scalar) bool {
				old := seen[exectest.Text(s)]
				seen[exectest.Text(s)] = true
				return old
			})
		}
		return call.values(list)
	case call.name == "last_value":
		at = len(list) - 1
	case call.name == "nth_value":
		at = int(constant(1)) - 1
	}
	if at < 0 || at >= len(list) {
		return vector.NullOf(exectest.Wide[call.args[0]].Type)
	}
	return list[at]
}

func (c *testCase) shifted(call testCall, part []exectest.Row, i int) vector.Scalar {
	distance, step := 1, -1
	if len(call.args) > 1 {
		distance = -1 - call.args[1]
	}
	if call.name == "lead" {
		step = 1
	}
	for j := i; ; j += step {
		if j < 0 || j >= len(part) {
			if len(call.args) > 2 {
				return part[i][call.args[2]]
			}
			return vector.NullOf(exectest.Wide[call.args[0]].Type)
		}
		v := part[j][call.args[0]]
		if j != i && (!v.Null || !call.o.IgnoreNulls) {
			distance--
		}
		if distance == 0 {
			return v
		}
	}
}
