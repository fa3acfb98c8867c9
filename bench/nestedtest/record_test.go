package nestedtest

import (
	"math"
	"math/big"
	"strings"
)

// A value of a record is nil, bool, int64 (signed integers, dates, times),
// uint64, float32, float64, string (also of binaries and UUIDs), *big.Int (an
// unscaled decimal), or []any: a struct's fields, a list's elements, a map's
// entries, which are []any{key, value}.

// record is a random record of the table with the id.
func (m *maker) record(root *node, id int64, size int) []any {
	m.left = size
	r := []any{id}
	for _, f := range root.children[1:] {
		r = append(r, m.value(f))
	}
	return r
}

func (m *maker) value(n *node) any {
	if n.optional && m.IntN(100) < n.nulls {
		return nil
	}
	m.left--
	switch n.kind {
	case structure:
		var fields []any
		for _, c := range n.children {
			fields = append(fields, m.value(c))
		}
		return fields
	case list, mapping:
		return m.elements(n)
	}
	return m.scalar(n)
}

func (m *maker) elements(n *node) any {
	out := []any{}
	count := m.IntN(n.sizes + 1)
	if m.one(50) {
		count = m.left / 2
	}
	seen := map[string]bool{}
	for range count {
		if m.left <= 0 {
			break
		}
		if n.kind == list {
			out = append(out, m.value(n.children[0]))
			continue
		}
		key := m.value(n.children[0])
		if text := canonical(n.children[0], key); seen[text] && !m.one(20) {
			continue
		} else {
			seen[text] = true
		}
		out = append(out, []any{key, m.value(n.children[1])})
	}
	return out
}

func (m *maker) scalar(n *node) any {
	switch n.kind {
	case boolean:
		return m.one(2)
	case signed:
		return m.integer(n, n.bits)
	case unsigned:
		return uint64(m.integer(n, 64)) >> (64 - n.bits)
	case real32:
		if m.one(30) {
			return []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), math.MaxFloat32, math.SmallestNonzeroFloat32}[m.IntN(5)]
		}
		return float32(m.integer(n, 24)) / 8
	case real64:
		if m.one(30) {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64}[m.IntN(5)]
		}
		return float64(m.integer(n, 60)) / 10
	case text:
		return m.characters(n, []string{"a", "b", "Z", "\"", "\\", "ä", "\n", "𝄞", "'", "\x00", "</", "\u2028"})
	case binary:
		return m.characters(n, []string{"a", "\x00", "\xff", "\x80"})
	case fixed:
		return (m.characters(n, []string{"a", "\x00", "\xff", "\x80"}) + "-----")[:5]
	case uuidText:
		return (m.characters(n, []string{"a", "\x00", "\xff", "\x80"}) + strings.Repeat("\x01", 16))[:16]
	case date:
		return m.integer(n, 16)
	case timestamp:
		return m.Int64N(4e12)*pow1000(n.unit-1) - 2e12*pow1000(n.unit-1) + m.Int64N(1000)
	case clock:
		return m.Int64N(86400*pow1000(n.unit)) & -m.Int64N(2)
	}
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n.precision)), nil)
	if n.few {
		limit = big.NewInt(10)
	}
	v := new(big.Int).SetUint64(m.Uint64())
	v.Mul(v, new(big.Int).SetUint64(m.Uint64())).Mod(v, limit)
	if m.one(2) {
		v.Neg(v)
	}
	return v
}

func pow1000(n int) int64 {
	p := int64(1)
	for range n {
		p *= 1000
	}
	return p
}

func (m *maker) integer(n *node, bits int) int64 {
	if n.few {
		return m.Int64N(9) - 4
	}
	return int64(m.Uint64()) >> (64 - bits)
}

func (m *maker) characters(n *node, from []string) string {
	var b strings.Builder
	most := 12
	if n.few {
		most = 2
	}
	for range m.IntN(most) {
		b.WriteString(from[m.IntN(len(from))])
	}
	return b.String()
}
