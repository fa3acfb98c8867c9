package block

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// ErrChanged says that a block is not what was written.
var ErrChanged = errors.New("a spill file in temp_dir was changed by another program")

// Reader decodes a block. The strings of a column share one copy of its bytes.
type Reader struct {
	data []byte
	text string // what is left of a block that is a text, in place of data: see OpenText
	err  error
}

// Open returns a reader of a block and its number of rows.
func Open(data []byte) (*Reader, int, error) {
	r := &Reader{data: data[Head:]}
	n := r.count()
	return r, n, r.err
}

// OpenText is Open of a block that is a text, without its head: the strings of the reader lie in it.
func OpenText(text string) (*Reader, int, error) {
	r := &Reader{text: text}
	n := r.count()
	return r, n, r.err
}

func (r *Reader) take(n int) []byte {
	if r.text != "" {
		return []byte(r.takeText(n))
	}
	if n < 0 || n > len(r.data) {
		r.err = ErrChanged
		n = 0
	}
	b := r.data[:n]
	r.data = r.data[n:]
	return b
}

// takeText is take for a block that is a text.
func (r *Reader) takeText(n int) string {
	if n < 0 || n > len(r.text) {
		r.err = ErrChanged
		n = 0
	}
	text := r.text[:n]
	r.text = r.text[n:]
	return text
}

// count reads a length. It is not much more than the bytes that are left: each row of
// each column has at least one bit.
func (r *Reader) count() int {
	data := r.data
	if r.text != "" {
		data = []byte(r.text[:min(len(r.text), binary.MaxVarintLen64)])
	}
	v, n := binary.Uvarint(data)
	if n <= 0 || v > math.MaxInt32 {
		r.err = ErrChanged
		return 0
	}
	if r.text != "" {
		r.text = r.text[n:]
	} else {
		r.data = data[n:]
	}
	return int(v)
}

// Column reads the next column, of type t and n rows, into v.
func (r *Reader) Column(v *vector.Vector, t vector.Type, n int) error {
	v.Reset(t, n)
	if b := r.take(1); len(b) == 1 && b[0] == 1 {
		v.Valid = vector.NewValidity(n)
		for i, b := range r.take((n + 7) / 8) {
			v.Valid[i>>3] &^= uint64(^b) << (8 * (uint(i) & 7))
		}
	}
	switch t.Storage() {
	case vector.StoreBool:
		for i, b := range r.take(n) {
			v.Bool[i] = b != 0
		}
	case vector.StoreString:
		r.strings(v, n)
	case vector.StoreNested:
		r.nested(v, n)
	default:
		r.fixed(v, n)
	}
	return r.err
}

func (r *Reader) strings(v *vector.Vector, n int) {
	lengths, total := *r, 0
	for range n {
		total += r.count()
	}
	var all string
	if r.text != "" {
		all = r.takeText(total)
	} else {
		all = string(r.take(total))
	}
	if r.err != nil {
		return
	}
	for i := range n {
		l := lengths.count()
		v.Str[i], all = all[:l], all[l:]
	}
	v.Texts = vector.Shared
}

// Bytes reads a column that AppendBytes wrote, of n strings.
func (r *Reader) Bytes(n int) (all []byte, ends []int, err error) {
	ends = make([]int, n)
	total := 0
	for i := range ends {
		total += r.count()
		ends[i] = total
	}
	return r.take(total), ends, r.err
}

func (r *Reader) nested(v *vector.Vector, n int) {
	inner := n
	if v.Type.HasElements() {
		v.Offsets = make([]int32, n+1)
		for i := range n {
			v.Offsets[i+1] = v.Offsets[i] + int32(r.count())
		}
		inner = int(v.Offsets[n])
	}
	v.Children = make([]*vector.Vector, len(v.Type.Fields))
	for i, f := range v.Type.Fields {
		v.Children[i] = &vector.Vector{}
		if r.err == nil {
			r.err = r.Column(v.Children[i], f.Type, inner)
		}
	}
}

func (r *Reader) fixed(v *vector.Vector, n int) {
	le := binary.LittleEndian
	switch v.Type.Storage() {
	case vector.StoreInt64:
		for i, b := 0, r.take(8*n); len(b) > 0; i, b = i+1, b[8:] {
			v.I64[i] = int64(le.Uint64(b))
		}
	case vector.StoreUint64:
		for i, b := 0, r.take(8*n); len(b) > 0; i, b = i+1, b[8:] {
			v.U64[i] = le.Uint64(b)
		}
	case vector.StoreFloat64:
		for i, b := 0, r.take(8*n); len(b) > 0; i, b = i+1, b[8:] {
			v.F64[i] = math.Float64frombits(le.Uint64(b))
		}
	case vector.StoreFloat32:
		for i, b := 0, r.take(4*n); len(b) > 0; i, b = i+1, b[4:] {
			v.F32[i] = math.Float32frombits(le.Uint32(b))
		}
	case vector.StoreInt128:
		for i, b := 0, r.take(16*n); len(b) > 0; i, b = i+1, b[16:] {
			v.I128[i] = vector.Int128{Lo: le.Uint64(b), Hi: int64(le.Uint64(b[8:]))}
		}
	case vector.StoreInterval:
		for i, b := 0, r.take(24*n); len(b) > 0; i, b = i+1, b[24:] {
			v.Interval[i] = vector.IntervalValue{
				Months: int64(le.Uint64(b)), Days: int64(le.Uint64(b[8:])), Micros: int64(le.Uint64(b[16:])),
			}
		}
	}
}
