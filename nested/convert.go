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

// converter makes vectors of a leaf's values. If file and vector have the same Go
// type, slices are passed on without a copy; else one loop per batch converts them
// into memory of the converter.
type converter struct {
	node  *fileformat.Node
	typ   vector.Type
	own   values // memory
	codes []int32
	arena []byte
	most  int // values or rows of a batch

	dict      *column.Dictionary // converted as
	converted *vector.Vector
}

func newConverter(n *fileformat.Node, o Options) *converter {
	return &converter{node: n, typ: TypeOf(n, o)}
}

// Checker returns a check that values of a leaf fit its type, for column.Options;
// nil if every value that decodes does.
func Checker(n *fileformat.Node, o Options) func(*column.Values, int) error {
	c := newConverter(n, o)
	if n.Physical != fileformat.ByteArray && n.Physical != fileformat.FixedLenByteArray && !mayExceed(n, c.typ) {
		return nil
	}
	switch c.typ.Kind {
	case vector.Half, vector.Interval, vector.Decimal, vector.BSON:
		return func(v *column.Values, n int) error {
			return c.values(v, n, nil, n, &vector.Vector{Type: c.typ, Len: n})
		}
	}
	return nil
}

// rows makes out the rows of a batch: its values are the rows whose bit in valid
// is set, all rows if valid is nil. out is valid until the next call.
func (c *converter) rows(b *column.Batch, valid vector.Validity, rows int, out *vector.Vector) error {
	c.most = max(c.most, rows, b.NonNull)
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
// since vectors that point to it may outlive the reader. Texts that are lent have a lease.
func (c *converter) dictionary(d *column.Dictionary) (*vector.Vector, error) {
	if c.dict == d {
		return c.converted, nil
	}
	fresh := converter{node: c.node, typ: c.typ}
	out := &vector.Vector{Type: c.typ, Len: d.Len}
	if err := fresh.values(&d.Values, d.Len, nil, d.Len, out); err != nil {
		return nil, fmt.Errorf("dictionary: %w", err)
	}
	if out.Raise(vector.Shared); d.Lent() {
		out.Texts, out.Lease = vector.Lent, d
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
		return c.int32s(v.Int32[:n], valid, rows, out)
	case fileformat.Int64:
		return c.int64s(v.Int64[:n], valid, rows, out)
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

func (c *converter) int32s(v []int32, valid vector.Validity, rows int, out *vector.Vector) error {
	switch c.typ.Storage() {
	case vector.StoreInt128:
		dense := own(&c.own.I128, len(v), rows)
		for i, x := range v {
			dense[i] = vector.Int128From(int64(x))
		}
		out.I128 = spread(&c.own.I128, dense, valid, rows)
		return nil
	case vector.StoreString:
		out.Str = spread(&c.own.Str, c.bigFromInts(len(v), rows, func(i int) int64 { return int64(v[i]) }), valid, rows)
		return nil
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
	if mayExceed(c.node, c.typ) && exceeds64(dense, c.typ.Precision) {
		return c.tooLong()
	}
	out.I64 = spread(&c.own.I64, dense, valid, rows)
	return nil
}

func (c *converter) int64s(v []int64, valid vector.Validity, rows int, out *vector.Vector) error {
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
		if mayExceed(c.node, c.typ) && exceeds64(v, c.typ.Precision) {
			return c.tooLong()
		}
		out.I64 = spread(&c.own.I64, v, valid, rows)
	}
	return nil
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
	case c.typ.Kind == vector.BSON: // here it is known in which file a document is
		for _, s := range v {
			if err := checkBSON(s); err != nil {
				return err
			}
		}
	}
	out.Str = spread(&c.own.Str, v, valid, rows)
	return nil
}

// narrow keeps the low bits of the declared width. The specification does not say
// what other bits mean; some writers sign-extend unsigned values, and other code
// relies on the range of the type.
func narrow[M int8 | int16 | int32 | uint8 | uint16 | uint32](dst []int64, src []int32) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = int64(M(v))
	}
}

// own is the first n elements of memory, which it makes long enough for rows.
func own[T any](memory *[]T, n, rows int) []T {
	return grow(memory, max(n, rows))[:n]
}

// grow makes memory n long. Its content is lost if it has to be reallocated. The first time it is
// just as long: most converters have batches of one length, or a dictionary.
func grow[T any](memory *[]T, n int) []T {
	if had := cap(*memory); had == 0 {
		*memory = make([]T, n)
	} else if had < n {
		*memory = make([]T, n+n/4)
	}
	*memory = (*memory)[:n]
	return *memory
}

// fewBits of a word are looked for one by one.
const fewBits = 20

// spread moves the i-th value of dense to the i-th set bit of valid, in memory,
// whose front dense may be; with a nil valid it returns dense. It begins with the
// last value, so that none is overwritten before it is moved.
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
		case bits.OnesCount64(word) <= fewBits:
			for ; word != 0 && k > 0; k-- {
				i := 63 - bits.LeadingZeros64(word)
				word &^= 1 << uint(i)
				dst[base+i] = dense[k-1]
			}
		case word == ^uint64(0) && k >= 64:
			k -= 64
			copy(dst[base:base+64], dense[k:k+64])
		default:
			k = spreadWord(dst[base:base+n], dense[:k], word)
		}
	}
	return dst
}

// spreadWord moves the last values of dense to the set bits of word and returns
// how many values are left. NULLs get an arbitrary value, which saves a branch per
// row.
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
