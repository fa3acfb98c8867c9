package nested

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

var errWidth = errors.New("a value has the wrong length for its type")

// converter makes vectors of a leaf's values. Where the file's form of a value
// is the vector's, slices are handed on as they are; else one loop a batch
// converts them into memory of the converter.
type converter struct {
	node *fileformat.Node
	typ  vector.Type
	// check is set for values that will be rendered where nobody can tell of an
	// error any more: BSON within a nested value.
	check bool

	own   vector.Vector // memory
	codes []int32
	arena []byte

	dict      *column.Dictionary // converted as
	converted *vector.Vector
}

func newConverter(n *fileformat.Node, o Options) *converter {
	return &converter{node: n, typ: TypeOf(n, o)}
}

// Checker says whether values of a leaf are of its type, for
// column.Options; nil where the decoder makes sure of that. Within is
// set for leaves of columns that are rendered as JSON.
func Checker(n *fileformat.Node, o Options, within bool) func(*column.Values, int) error {
	if n.Physical != fileformat.ByteArray && n.Physical != fileformat.FixedLenByteArray {
		return nil
	}
	c := newConverter(n, o)
	c.check = within
	switch c.typ.Kind {
	case vector.Half, vector.Interval, vector.Decimal, vector.BSON:
		return func(v *column.Values, n int) error {
			return c.values(v, n, nil, n, &vector.Vector{Type: c.typ, Len: n})
		}
	}
	return nil
}

// rows makes out the rows of a batch's values, which lie where valid has a bit
// set; a nil valid is all of them. out is good until the next call.
func (c *converter) rows(b *column.Batch, valid vector.Validity, rows int, out *vector.Vector) error {
	if c.typ.Kind == vector.Null || b.NonNull == 0 && rows > 0 {
		*out = *vector.NewConstant(vector.NullOf(c.typ), rows)
		return nil
	}
	*out = vector.Vector{Type: c.typ, Len: rows, Valid: valid}
	if b.Dict != nil {
		d, err := c.dictionary(b.Dict)
		if err != nil {
			return err
		}
		out.Form, out.Dict = vector.Dictionary, d
		out.Codes = spread(&c.codes, b.Codes[:b.NonNull], valid, rows)
		return nil
	}
	return c.values(&b.Values, b.NonNull, valid, rows, out)
}

// dictionary converts a dictionary once. The result is not written to again,
// for vectors that point to it may outlive the reader.
func (c *converter) dictionary(d *column.Dictionary) (*vector.Vector, error) {
	if c.dict == d {
		return c.converted, nil
	}
	fresh := converter{node: c.node, typ: c.typ, check: c.check}
	out := &vector.Vector{Type: c.typ, Len: d.Len}
	if err := fresh.values(&d.Values, d.Len, nil, d.Len, out); err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	c.dict, c.converted = d, out
	return out, nil
}

// values converts n values into the slice of out's storage.
func (c *converter) values(v *column.Values, n int, valid vector.Validity, rows int, out *vector.Vector) error {
	switch c.node.Physical {
	case fileformat.Boolean:
		out.Bool = spread(&c.own.Bool, v.Bool[:n], valid, rows)
	case fileformat.Int32:
		c.int32s(v.Int32[:n], valid, rows, out)
	case fileformat.Int64:
		c.int64s(v.Int64[:n], valid, rows, out)
	case fileformat.Int96Type:
		dense := own(&c.own.I128, n, rows)
		for i, x := range v.Int96[:n] {
			dense[i] = int96Nanos(x)
		}
		out.I128 = spread(&c.own.I128, dense, valid, rows)
	case fileformat.Float:
		out.F32 = spread(&c.own.F32, v.Float[:n], valid, rows)
	case fileformat.Double:
		out.F64 = spread(&c.own.F64, v.Double[:n], valid, rows)
	default:
		return c.bytes(v.Bytes[:n], valid, rows, out)
	}
	return nil
}

func (c *converter) int32s(v []int32, valid vector.Validity, rows int, out *vector.Vector) {
	switch c.typ.Storage() {
	case vector.StoreInt128:
		dense := own(&c.own.I128, len(v), rows)
		for i, x := range v {
			dense[i] = vector.Int128From(int64(x))
		}
		out.I128 = spread(&c.own.I128, dense, valid, rows)
		return
	case vector.StoreString:
		out.Str = spread(&c.own.Str, c.bigFromInts(len(v), rows, func(i int) int64 { return int64(v[i]) }), valid, rows)
		return
	}
	dense := own(&c.own.I64, len(v), rows)
	switch c.typ.Kind {
	case vector.TinyInt:
		narrow[int8](dense, v)
	case vector.SmallInt:
		narrow[int16](dense, v)
	case vector.UTinyInt:
		narrow[uint8](dense, v)
	case vector.USmallInt:
		narrow[uint16](dense, v)
	case vector.UInteger:
		narrow[uint32](dense, v)
	default:
		narrow[int32](dense, v)
	}
	out.I64 = spread(&c.own.I64, dense, valid, rows)
}

func (c *converter) int64s(v []int64, valid vector.Validity, rows int, out *vector.Vector) {
	switch c.typ.Storage() {
	case vector.StoreUint64:
		dense := own(&c.own.U64, len(v), rows)
		for i, x := range v {
			dense[i] = uint64(x)
		}
		out.U64 = spread(&c.own.U64, dense, valid, rows)
	case vector.StoreInt128:
		dense := own(&c.own.I128, len(v), rows)
		for i, x := range v {
			dense[i] = vector.Int128From(x)
		}
		out.I128 = spread(&c.own.I128, dense, valid, rows)
	case vector.StoreString:
		out.Str = spread(&c.own.Str, c.bigFromInts(len(v), rows, func(i int) int64 { return v[i] }), valid, rows)
	default:
		out.I64 = spread(&c.own.I64, v, valid, rows)
	}
}

func (c *converter) bytes(v []string, valid vector.Validity, rows int, out *vector.Vector) error {
	switch {
	case c.typ.Kind == vector.Half:
		dense := own(&c.own.F32, len(v), rows)
		for i, s := range v {
			if len(s) != 2 {
				return errWidth
			}
			dense[i] = halfToFloat(uint16(s[0]) | uint16(s[1])<<8)
		}
		out.F32 = spread(&c.own.F32, dense, valid, rows)
		return nil
	case c.typ.Kind == vector.Interval:
		dense := own(&c.own.Interval, len(v), rows)
		for i, s := range v {
			if len(s) != 12 {
				return errWidth
			}
			dense[i] = intervalOf(s)
		}
		out.Interval = spread(&c.own.Interval, dense, valid, rows)
		return nil
	case c.typ.Kind == vector.Decimal:
		return c.decimals(v, valid, rows, out)
	case c.typ.Kind == vector.BSON && c.check:
		for _, s := range v {
			if err := checkBSON(s); err != nil {
				return err
			}
		}
	}
	out.Str = spread(&c.own.Str, v, valid, rows)
	return nil
}

// narrow takes the low bits that the declared width has. The specification
// leaves open what other bits mean; some writers extend the sign of unsigned
// values, and a type's range is relied upon elsewhere.
func narrow[M int8 | int16 | int32 | uint8 | uint16 | uint32](dst []int64, src []int32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = int64(M(v))
	}
}

// own is n elements at the front of memory that is sure to hold rows.
func own[T any](memory *[]T, n, rows int) []T {
	return grow(memory, max(n, rows))[:n]
}

// grow makes memory n long; what it holds is lost where it has to move.
func grow[T any](memory *[]T, n int) []T {
	if cap(*memory) < n {
		*memory = make([]T, n+n/4)
	}
	*memory = (*memory)[:n]
	return *memory
}

// spread puts values where valid has a bit set, into memory, whose front they
// may be; without valid they stay where they are. The last one is put first, so
// that none is overwritten before it is moved.
func spread[T any](memory *[]T, dense []T, valid vector.Validity, rows int) []T {
	if valid == nil {
		return dense
	}
	dst, k := grow(memory, rows), len(dense)
	for w := (rows+63)/64 - 1; w >= 0 && k > 0; w-- {
		base := w * 64
		n := min(64, rows-base)
		word := valid[w]
		if n < 64 {
			word &= 1<<uint(n) - 1
		}
		switch {
		case word == 0:
		case word == ^uint64(0) && k >= 64:
			k -= 64
			copy(dst[base:base+64], dense[k:k+64])
		default:
			k = spreadWord(dst[base:base+n], dense[:k], word)
		}
	}
	return dst
}

// spreadWord puts the last values of dense where word has a bit set, and tells
// how many are left. NULLs get some value or other, which saves a branch a row.
func spreadWord[T any](dst []T, dense []T, word uint64) int {
	k := len(dense)
	for i := 63 - bits.LeadingZeros64(word); i >= 0; i-- {
		k -= int(word >> uint(i) & 1)
		if uint(k) >= uint(len(dense)) {
			return 0
		}
		dst[i] = dense[k]
	}
	return k
}
