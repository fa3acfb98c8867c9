// Package mutant damages Parquet files: by a few random bytes anywhere, and behind valid
// checksums and footers, so that the damage reaches the decoders. It knows the format by
// itself and uses nothing of the reader that it tests.
//
// A file is split into its body and the tree of its footer. A column chunk is taken
// apart into its pages, decompressed. Damaged pages are compressed again, get right sizes
// and checksums, and are written behind the others; the footer points to them:
//
//	PAR1 | pages, indexes … | damaged pages | footer | length | PAR1
//
// Of damages what only some files have: the bytes of geometries and Variants within valid
// pages, GeoParquet's metadata, and encrypted modules, with the keys and without.
package mutant

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
)

// Kind is how a file was damaged.
type Kind string

// The kinds.
const (
	Bytes  Kind = "bytes"  // anywhere
	Footer Kind = "footer" // the values of the footer, which still is valid Thrift
	Pages  Kind = "pages"  // headers, levels and values of pages behind right checksums
	Index  Kind = "index"  // page indexes and bloom filters, which still are valid Thrift

	Geometry  Kind = "geometry"   // well-known binary in valid pages
	Variant   Kind = "variant"    // metadata and values of Variants in valid pages
	KeyValues Kind = "key values" // GeoParquet's metadata, and others
	Sealed    Kind = "sealed"     // what is within encrypted modules that are authentic
	Tampered  Kind = "tampered"   // encrypted modules; an authentic file has its rows or none
	Loose     Kind = "loose"      // as Tampered, but pages have no tags or some are not encrypted
)

// Special are the kinds that need undamaged files of their own: see Of.
var Special = []Kind{Geometry, Variant, KeyValues, Sealed, Tampered}

// Fits reports whether Of may damage a file in a way.
func Fits(s Seed, kind Kind) bool {
	if kind == Sealed || kind == Tampered {
		return s.Keys != nil
	}
	l, err := split(s.Data)
	if err != nil || s.Keys != nil {
		return false
	}
	of := func(chosen func(leaf) bool) bool { return slices.ContainsFunc(l.leaves(), chosen) }
	switch kind {
	case Geometry:
		return of(func(of leaf) bool { return of.geometry && of.bytes })
	case Variant:
		return of(func(of leaf) bool { return of.nested })
	}
	return true
}

// Of damages a file in one of the special ways, and says in which: Tampered may be Loose.
// It is not ok where the file has nothing of the kind.
func Of(r *rand.Rand, s Seed, kind Kind) (data []byte, of Kind, ok bool) {
	if kind == Sealed || kind == Tampered {
		l, seal, err := splitSealed(s.Data, *s.Keys, r)
		if err != nil {
			return nil, kind, false
		}
		if kind == Sealed {
			ok = seal.damageSealed(l, r)
			return seal.put(l), kind, ok
		}
		if !seal.authentic(l) {
			kind = Loose
		}
		data, ok = seal.tamper(l, s.Data, r)
		return data, kind, ok
	}
	l, err := split(s.Data)
	if err != nil {
		return nil, kind, false
	}
	switch kind {
	case Geometry:
		ok = l.damageTexts(r, func(of leaf) bool { return of.geometry }, damageWKB)
	case Variant:
		ok = l.damageTexts(r, func(of leaf) bool { return of.nested }, damageVariant)
		if r.IntN(4) == 0 { // which of value and typed_value there is
			ok = l.damagePages(r) || ok
		}
	case KeyValues:
		ok = l.damageKeyValues(r)
	}
	return l.put(), kind, ok
}

// File damages a file: half of the time by bytes, else behind the checksums. Where a file
// cannot be split, one that is encrypted, say, it is damaged by bytes.
// Random numbers that are the same make the same file.
func File(r *rand.Rand, original []byte) ([]byte, Kind) {
	if r.IntN(2) == 0 {
		return Some(r, original), Bytes
	}
	l, err := split(original)
	if err != nil {
		return Some(r, original), Bytes
	}
	kind := Pages
	switch n := r.IntN(10); {
	case n < 3:
		kind = Footer
		for range 1 + r.IntN(3) {
			l.footer.damage(r)
		}
	case n < 5 && l.index(r):
		kind = Index
	case !l.damagePages(r):
		return Some(r, original), Bytes
	}
	return l.put(), kind
}

// Some changes a few bytes, or cuts, repeats or overwrites a piece, often near the end of
// the file, where the footer is.
func Some(r *rand.Rand, original []byte) []byte {
	data := bytes.Clone(original)
	for range 1 + r.IntN(3) {
		if len(data) == 0 {
			return append(data, byte(r.Uint32()))
		}
		at := r.IntN(len(data))
		if r.IntN(2) == 0 {
			at = len(data) - 1 - r.IntN(min(len(data), 2000))
		}
		n := min(1+r.IntN(64), len(data)-at)
		switch r.IntN(6) {
		case 0:
			data[at] ^= 1 << r.IntN(8)
		case 1:
			data[at] = byte(r.Uint32())
		case 2:
			data = data[:at]
		case 3: // a piece is missing
			data = slices.Delete(data, at, at+n)
		case 4: // a piece is there twice
			data = slices.Insert(data, at, bytes.Clone(data[at:at+n])...)
		case 5: // an extreme varint or length
			copy(data[at:], [][]byte{
				{0xff, 0xff, 0xff, 0xff, 0x0f}, {0xff, 0xff, 0xff, 0x7f}, {0, 0, 0, 0x80}, {0, 0, 0, 0, 0, 0, 0, 0},
				{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
			}[r.IntN(5)])
		}
	}
	return data
}

// damagePages damages one or two pages of a chunk.
func (l *layout) damagePages(r *rand.Rand) bool {
	chunk := l.chunk(r)
	if chunk == nil {
		return false
	}
	pages, err := l.pages(chunk)
	if err != nil || len(pages) == 0 {
		return false
	}
	for range 1 + r.IntN(2) {
		p := &pages[r.IntN(len(pages))]
		switch r.IntN(8) {
		case 0:
			p.header.damage(r)
		case 1:
			if p.levels = Some(r, p.levels); p.header.get(8) != nil && r.IntN(2) == 0 {
				p.header.get(8).set(int64(len(p.levels))-p.header.numberOf(0, 8, 6), 5)
			}
		case 2:
			pages = slices.Insert(pages, r.IntN(len(pages)+1), *p)
		default:
			p.data = Some(r, p.data)
		}
	}
	l.move(chunk, pages)
	return true
}

// index damages a page index or the header of a bloom filter.
func (l *layout) index(r *rand.Rand) bool {
	chunk := l.chunk(r)
	if chunk == nil {
		return false
	}
	offsets := [][]int16{{4}, {6}, {3, 14}}
	field := offsets[r.IntN(len(offsets))]
	at := chunk.numberOf(-1, field...)
	if at < 4 || at >= int64(len(l.body)) {
		return false
	}
	v, size, err := parseStruct(l.body[at:])
	if err != nil {
		return false
	}
	v.damage(r)
	rest := l.body[at+int64(size):]
	if field[0] != 3 {
		rest = nil
	}
	start := int64(len(l.body))
	l.body = v.appendTo(l.body)
	end := int64(len(l.body))
	l.body = append(l.body, rest...) // the bits of the filter
	chunk.set(start, field...)
	if rest == nil {
		chunk.set(end-start, field[0]+1)
	}
	return true
}

// damage changes one random value of a tree.
func (v *value) damage(r *rand.Rand) {
	var all []*value
	var walk func(*value)
	walk = func(v *value) {
		all = append(all, v)
		for i := range v.fields {
			walk(&v.fields[i].value)
		}
		for i := range v.list {
			walk(&v.list[i])
		}
	}
	walk(v)
	all[r.IntN(len(all))].change(r, all)
}

// change changes this value; all are those of its tree.
func (v *value) change(r *rand.Rand, all []*value) {
	switch {
	case v.typ == typeTrue || v.typ == typeFalse:
		v.typ = typeTrue + typeFalse - v.typ
	case v.typ >= typeByte && v.typ <= typeI64:
		v.number = number(r, v.number, all)
	case v.typ == typeStruct:
		if len(v.fields) == 0 {
			return
		}
		f := &v.fields[r.IntN(len(v.fields))]
		switch r.IntN(3) {
		case 0:
			v.drop(f.id)
		case 1:
			f.id = int16(1 + r.IntN(16))
		case 2:
			v.fields = append(v.fields, *f)
		}
	case v.typ == typeList || v.typ == typeSet:
		if len(v.list) == 0 {
			return
		}
		at := r.IntN(len(v.list))
		switch r.IntN(4) {
		case 0:
			v.list = slices.Delete(slices.Clone(v.list), at, at+1)
		case 1:
			v.list = slices.Insert(slices.Clone(v.list), at, v.list[r.IntN(len(v.list))])
		case 2:
			v.list = v.list[:at]
		case 3:
			other := r.IntN(len(v.list))
			v.list[at], v.list[other] = v.list[other], v.list[at]
		}
	case v.typ == typeBinary:
		v.bytes = Some(r, v.bytes)
	}
}

// number is another number: near, extreme, or one of the same tree.
func number(r *rand.Rand, n int64, all []*value) int64 {
	switch r.IntN(4) {
	case 0:
		return n + int64(r.IntN(9)) - 4
	case 1:
		return []int64{0, -1, 1, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64, 1 << 31, 1 << 40}[r.IntN(9)]
	case 2:
		return all[r.IntN(len(all))].number
	}
	return int64(r.IntN(64))
}
