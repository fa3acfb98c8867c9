package order

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Sort keys are normalised: all terms of a row become one string of bytes, and
// bytes.Compare of two such strings is the order of the rows. So comparing does not
// depend on types, a radix sort is possible, and runs in memory and on disk compare
// with each other. For each term there are
//
//	1 byte    2 for a value, 1 for a NULL that comes first, 3 for one that comes
//	          last
//	the value, absent for a NULL string and zero for other NULLs:
//	  string             its bytes with 00 FF for 00, then 00 00, so that no string
//	                     is a prefix of another; as the last term, ascending, and
//	                     of an expr.Ordered, which is no such prefix, its bytes
//	                     unchanged
//	  integers of at     4 bytes, as vector.PutOrdered has 8: more terms fit
//	  most 32 bits, DATE   in the words of a reference
//	  all others         as vector.PutOrdered has them
//
// DESC inverts all bytes of the value.
type keyEncoder struct {
	keys  []expr.SortKey
	exprs *exec.ExprSet
	parts expr.Parts
	meter *quota.Meter // looks at the context between pieces of long texts
	fixed int          // bytes per row without strings
	vary  bool         // whether there are strings

	partition *partitionKeys // not nil: numbers are sorted instead of the first terms

	at    []int32
	pos   []int
	words []uint64
}

const (
	markFirst = 1
	markValue = 2
	markLast  = 3
)

// keyBuf holds the keys of many rows.
type keyBuf struct {
	data []byte
	ends []int // by row: where its key ends
}

// key returns the key of row i.
func (k *keyBuf) key(i int) []byte {
	from := 0
	if i > 0 {
		from = k.ends[i-1]
	}
	return k.data[from:k.ends[i]]
}

// growth is what is made where keys of about so many bytes more do not fit in the memory that there
// is: a copy with room for them.
func (k *keyBuf) growth(more int64) int64 {
	if int64(cap(k.data)-len(k.data)) >= more {
		return 0
	}
	return int64(cap(k.data)) + int64(cap(k.data))/4 + more
}

func (k *keyBuf) bytes() int64 { return int64(cap(k.data)) + 8*int64(cap(k.ends)) }
func (k *keyBuf) reset()       { k.data, k.ends = k.data[:0], k.ends[:0] }

func newKeyEncoder(env exec.Env, keys []expr.SortKey) (*keyEncoder, error) {
	e := &keyEncoder{keys: keys, exprs: exec.NewExprSet(env), meter: quota.NewMeter(env.Context, nil)}
	for _, k := range keys {
		t := k.Expr.Type()
		if t.Shown().Storage() == vector.StoreNested {
			return nil, errs.Unsupported("ORDER BY a %s", t.Name())
		}
		e.exprs.Add(k.Expr)
		e.fixed += 1 + termWidth(t)
		e.vary = e.vary || t.Storage() == vector.StoreString
	}
	return e, nil
}

// termWidth is the number of bytes of a value of type t that is no string.
func termWidth(t vector.Type) int {
	switch t.Kind {
	case vector.TinyInt, vector.SmallInt, vector.Integer, vector.UTinyInt, vector.USmallInt, vector.Date:
		return 4 // numbers of 32 bits with a sign, though vectors have them in 64
	}
	return vector.OrderedWidth(t)
}

// each calls f with the terms of all rows of b, or one part of the rows after the other.
func (e *keyEncoder) each(b *vector.Batch, f func(values []*vector.Vector, part *vector.Batch) error) error {
	return e.parts.Each(b, func(part *vector.Batch) error {
		values, err := e.exprs.Eval(part)
		if err != nil {
			return err
		}
		return f(values, part)
	})
}

// encode appends the keys of the selected rows. What it has appended after an error is of no
// use.
func (e *keyEncoder) encode(values []*vector.Vector, b *vector.Batch, k *keyBuf) error {
	if e.partition != nil {
		return e.partition.encode(e, values, b, k)
	}
	return e.encodeTerms(values, b, k)
}

func (e *keyEncoder) encodeTerms(values []*vector.Vector, b *vector.Batch, k *keyBuf) error {
	n := b.Rows()
	if n == 0 {
		return nil
	}
	e.at, e.pos = vector.Resize(e.at, n), vector.Resize(e.pos, n)
	end := len(k.data)
	if e.vary {
		clear(e.pos)
		for c, v := range values {
			e.measure(v, b, e.ending(c))
		}
		for i, extra := range e.pos {
			e.pos[i] = end
			end += e.fixed + extra
			k.ends = append(k.ends, end)
		}
	} else {
		for i := range e.pos {
			e.pos[i] = end
			end += e.fixed
			k.ends = append(k.ends, end)
		}
	}
	if cap(k.data) < end {
		grown := make([]byte, len(k.data), max(end, 2*cap(k.data)))
		copy(grown, k.data)
		k.data = grown
	}
	k.data = k.data[:end]
	for c, v := range values {
		places(e.at, v, b)
		if err := e.write(k.data, v, c); err != nil {
			return err
		}
	}
	return nil
}

// ending reports whether term c is a string that needs no terminator.
func (e *keyEncoder) ending(c int) bool {
	_, delimited := e.keys[c].Expr.(*expr.Ordered)
	return delimited || c == len(e.keys)-1 && !e.keys[c].Desc
}

// places writes the places of the selected rows' values in the vector's slice; -1 for
// NULL.
func places(at []int32, v *vector.Vector, b *vector.Batch) {
	switch {
	case v.Form == vector.Constant || v.Type.Kind == vector.Null:
		place := int32(0)
		if v.IsNull(0) {
			place = -1
		}
		for i := range at {
			at[i] = place
		}
		return
	case v.Form == vector.Dictionary:
		for i := range at {
			at[i] = v.Codes[b.Row(i)]
		}
	default:
		for i := range at {
			at[i] = int32(b.Row(i))
		}
	}
	if v.Valid != nil {
		for i := range at {
			if !v.Valid.Get(b.Row(i)) {
				at[i] = -1
			}
		}
	}
}

// stored is the vector whose slice has the values of v.
func stored(v *vector.Vector) *vector.Vector {
	if v.Form == vector.Dictionary {
		return v.Dict
	}
	return v
}

// measure adds the length of a string term in each row to pos.
func (e *keyEncoder) measure(v *vector.Vector, b *vector.Batch, ending bool) {
	if v.Type.Storage() != vector.StoreString {
		return
	}
	places(e.at, v, b)
	values := stored(v).Str
	for i, at := range e.at {
		if at < 0 {
			continue
		}
		e.pos[i] += len(values[at])
		if !ending {
			e.pos[i] += 2 + strings.Count(values[at], "\x00")
		}
	}
}

// write writes term c of all rows at pos and advances pos. It writes each byte.
func (e *keyEncoder) write(data []byte, v *vector.Vector, c int) error {
	null, flip := byte(markLast), byte(0)
	if e.keys[c].NullsFirst {
		null = markFirst
	}
	if e.keys[c].Desc {
		flip = 0xff
	}
	values, width := stored(v), termWidth(e.keys[c].Expr.Type())
	ending := e.ending(c)
	switch values.Type.Storage() {
	case vector.StoreInt64, vector.StoreFloat64:
		e.writeWords(data, values, width, null, flip)
		return nil
	}
	for i, at := range e.at {
		p := e.pos[i]
		e.pos[i] = p + 1 + width
		if at < 0 {
			data[p] = null
			clear(data[p+1 : p+1+width])
			continue
		}
		data[p] = markValue
		if values.Type.Storage() == vector.StoreString {
			var err error
			if e.pos[i], err = e.writeString(data, p+1, values.Str[at], flip, ending); err != nil {
				return err
			}
			continue
		}
		vector.PutOrdered(data[p+1:], values, int(at))
		if flip != 0 {
			for j := p + 1; j < p+1+width; j++ {
				data[j] = ^data[j]
			}
		}
	}
	return nil
}

// writeWords is write for values of 64 bits, and for those of 32 bits that vectors have in 64.
func (e *keyEncoder) writeWords(data []byte, values *vector.Vector, width int, null, flip byte) {
	e.words = vector.Resize(e.words, len(e.at))
	vector.OrderedWords(e.words, values, e.at)
	all := uint64(0)
	if flip != 0 {
		all = math.MaxUint64
	}
	if width == 4 {
		for i, at := range e.at {
			p, mark, word := e.pos[i], byte(markValue), uint32(e.words[i]^all)^1<<31 // the sign of the lower half
			if at < 0 {
				mark, word = null, 0
			}
			to := data[p : p+5]
			to[0] = mark
			binary.BigEndian.PutUint32(to[1:], word)
			e.pos[i] = p + 5
		}
		return
	}
	for i, at := range e.at {
		p, mark, word := e.pos[i], byte(markValue), e.words[i]^all
		if at < 0 {
			mark, word = null, 0
		}
		to := data[p : p+9]
		to[0] = mark
		binary.BigEndian.PutUint64(to[1:], word)
		e.pos[i] = p + 9
	}
}

// writeString writes a text at p; it returns where it ends.
func (e *keyEncoder) writeString(data []byte, p int, s string, flip byte, ending bool) (int, error) {
	for {
		piece, whole := s, len(s) <= quota.CopiedPerLook
		if !whole {
			piece = s[:quota.CopiedPerLook]
		}
		zero := -1
		if !ending {
			zero = strings.IndexByte(piece, 0)
		}
		if zero >= 0 {
			piece = piece[:zero]
		}
		if !whole {
			if err := e.meter.Work(len(piece) + 1); err != nil {
				return p, err
			}
		}
		copy(data[p:], piece)
		if flip != 0 {
			flipAll(data[p : p+len(piece)])
		}
		p += len(piece)
		switch {
		case zero >= 0:
			data[p], data[p+1] = flip, 0xff^flip
			p, s = p+2, s[zero+1:]
		case whole && ending:
			return p, nil
		case whole:
			data[p], data[p+1] = flip, flip
			return p + 2, nil
		default:
			s = s[len(piece):]
		}
	}
}

// flipAll inverts all bits, of eight bytes at a time.
func flipAll(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, ^binary.NativeEndian.Uint64(b))
	}
	for i := range b {
		b[i] = ^b[i]
	}
}
