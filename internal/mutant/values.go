package mutant

import (
	"encoding/binary"
	"math/rand/v2"
)

// leaf is what must be known of a column to find the values in its pages.
type leaf struct {
	root, name       string // of the column of the table, and of the leaf itself
	bytes            bool   // BYTE_ARRAY
	maxDef, maxRep   int
	geometry, nested bool // annotated so; below a Variant
}

// The fields of LogicalType that say what the bytes of a column are (parquet.thrift).
const (
	logicalVariant   = 16
	logicalGeometry  = 17
	logicalGeography = 18
)

// leaves are the leaves of the schema in the order of the chunks of a row group.
func (l *layout) leaves() []leaf {
	elements := l.footer.get(2)
	if elements == nil {
		return nil
	}
	var out []leaf
	rest := elements.list
	var walk func(above leaf, depth int)
	walk = func(above leaf, depth int) {
		if len(rest) == 0 || depth > 60 {
			return
		}
		e := &rest[0]
		rest = rest[1:]
		if depth > 0 {
			above.name = e.text(4)
			switch e.numberOf(0, 3) {
			case 1:
				above.maxDef++
			case 2:
				above.maxDef++
				above.maxRep++
			}
		}
		if depth == 1 {
			above.root = above.name
		}
		above.geometry = e.get(10, logicalGeometry) != nil || e.get(10, logicalGeography) != nil
		above.nested = above.nested || e.get(10, logicalVariant) != nil
		if n := e.numberOf(0, 5); n > 0 {
			for range n {
				walk(above, depth+1)
			}
			return
		}
		above.bytes = e.numberOf(-1, 1) == 6
		out = append(out, above)
	}
	walk(leaf{}, 0)
	return out
}

// text is the text of a field.
func (v *value) text(ids ...int16) string {
	if f := v.get(ids...); f != nil {
		return string(f.bytes)
	}
	return ""
}

// texts are the byte arrays of a page with the encoding PLAIN, and what is in front of them.
func (p *page) texts(of leaf) (front []byte, values [][]byte, ok bool) {
	data := p.data
	if p.opaque || len(data) == 0 {
		return nil, nil, false
	}
	switch p.header.numberOf(-1, 1) {
	case 2: // a dictionary
	case 0:
		if p.header.numberOf(-1, 5, 2) != 0 {
			return nil, nil, false
		}
		for _, highest := range []int{of.maxRep, of.maxDef} {
			if highest == 0 {
				continue
			}
			if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
				return nil, nil, false
			}
			data = data[4+binary.LittleEndian.Uint32(data):]
		}
	case 3:
		if p.header.numberOf(-1, 8, 4) != 0 {
			return nil, nil, false
		}
	default:
		return nil, nil, false
	}
	front = p.data[:len(p.data)-len(data)]
	for len(data) > 0 {
		if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
			return nil, nil, false
		}
		n := binary.LittleEndian.Uint32(data)
		values = append(values, data[4:4+n:4+n])
		data = data[4+n:]
	}
	return front, values, len(values) > 0
}

// setTexts puts other byte arrays into a page.
func (p *page) setTexts(front []byte, values [][]byte) {
	out := append([]byte(nil), front...)
	for _, v := range values {
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(v))), v...)
	}
	p.data = out
}

// damageTexts damages one to three values of one page of a column of byte arrays that is chosen.
func (l *layout) damageTexts(r *rand.Rand, chosen func(leaf) bool, damage func(r *rand.Rand, of leaf, value []byte) []byte) bool {
	groups := l.footer.get(4)
	leaves := l.leaves()
	if groups == nil || len(groups.list) == 0 {
		return false
	}
	columns := groups.list[r.IntN(len(groups.list))].get(1)
	if columns == nil || len(columns.list) != len(leaves) {
		return false
	}
	for _, i := range r.Perm(len(leaves)) {
		if !leaves[i].bytes || !chosen(leaves[i]) {
			continue
		}
		chunk := &columns.list[i]
		pages, err := l.pages(chunk)
		if err != nil {
			continue
		}
		for _, k := range r.Perm(len(pages)) {
			front, values, ok := pages[k].texts(leaves[i])
			if !ok {
				continue
			}
			for range 1 + r.IntN(3) {
				at := r.IntN(len(values))
				values[at] = damage(r, leaves[i], values[at])
			}
			pages[k].setTexts(front, values)
			l.move(chunk, pages)
			if r.IntN(2) == 0 { // bounds and boxes prune rows of which the damage is
				chunk.get(3).drop(12, 17)
			}
			return true
		}
	}
	return false
}
