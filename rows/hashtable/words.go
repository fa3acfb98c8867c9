package hashtable

import (
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// words returns values of a 64-bit storage as integers that are equal exactly if the
// values are: floats as the bits of their canonical form. at is as for
// lookUpValues. The result is v's own slice or scratch.
func words(v *vector.Vector, at []int32, n int, scratch *[]int64) []int64 {
	if v.Type.Storage() == vector.StoreInt64 && at == nil {
		return v.I64[:n]
	}
	into := vector.Resize(*scratch, n)
	*scratch = into
	switch v.Type.Storage() {
	case vector.StoreInt64:
		from := v.I64
		for i, a := range at[:n] {
			into[i] = from[a]
		}
	case vector.StoreUint64:
		for i := range n {
			into[i] = int64(v.U64[place(at, i)])
		}
	case vector.StoreBool:
		for i := range n {
			into[i] = 0
			if v.Bool[place(at, i)] {
				into[i] = 1
			}
		}
	case vector.StoreFloat32:
		for i := range n {
			into[i] = int64(math.Float32bits(canonical32(v.F32[place(at, i)])))
		}
	case vector.StoreFloat64:
		for i := range n {
			into[i] = int64(math.Float64bits(canonical64(v.F64[place(at, i)])))
		}
	default:
		clear(into)
	}
	return into
}

// canonical32 is the representative of the floats that equal f.
func canonical32(f float32) float32 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return float32(math.NaN())
	}
	return f
}

// canonical64 is the representative of the floats that equal f.
func canonical64(f float64) float64 {
	switch {
	case f == 0:
		return 0
	case f != f:
		return math.NaN()
	}
	return f
}

// setWord writes the value of a word: the inverse of words.
func setWord(out *vector.Vector, i int, word int64) {
	switch out.Type.Storage() {
	case vector.StoreInt64:
		out.I64[i] = word
	case vector.StoreUint64:
		out.U64[i] = uint64(word)
	case vector.StoreBool:
		out.Bool[i] = word != 0
	case vector.StoreFloat32:
		out.F32[i] = math.Float32frombits(uint32(word))
	case vector.StoreFloat64:
		out.F64[i] = math.Float64frombits(uint64(word))
	}
}

// setWords writes the values of words, from the first row on.
func setWords(out *vector.Vector, words []int64) {
	if out.Type.Storage() == vector.StoreInt64 {
		copy(out.I64, words)
		return
	}
	for i, w := range words {
		setWord(out, i, w)
	}
}

func (c *column) Keys(ids []uint32, out []*vector.Vector) error {
	return c.keys(ids, out[0])
}

func (c *column) keys(ids []uint32, out *vector.Vector) error {
	switch {
	case c.structs != nil:
		return c.structs.readKeys(ids, out)
	case c.nested != nil:
		return c.nested.Keys(ids, []*vector.Vector{out})
	case c.firsts != nil:
		at := make([]int32, len(ids))
		for i, id := range ids {
			at[i] = int32(id)
		}
		return out.Gather(&c.firsts.Vec, at)
	}
	out.Reset(c.typ, len(ids))
	null := c.nullID()
	for i, id := range ids {
		if int(id) == null {
			out.SetNull(i)
		}
	}
	switch c.typ.Storage() {
	case vector.StoreString:
		keys := c.strs.Keys()
		out.Texts = vector.Shared
		for i, id := range ids {
			out.Str[i] = keys[id]
		}
	case vector.StoreInt128:
		for i, id := range ids {
			out.I128[i] = c.long.Key(id)
		}
	case vector.StoreInt64:
		keys := c.ints.Keys()
		for i, id := range ids {
			out.I64[i] = keys[id]
		}
	default:
		keys := c.ints.Keys()
		for i, id := range ids {
			setWord(out, i, keys[id])
		}
	}
	return nil
}

// nullHash is the hash of NULL of any type.
const nullHash = 0x5bd1e9955bd1e995

func (c *column) Hashes(ids []uint32, out []uint64) {
	null := c.nullID()
	switch {
	case c.structs != nil:
		c.structs.hashes(ids, out)
	case c.nested != nil:
		c.nested.Hashes(ids, out)
	case c.strs != nil:
		hashes := c.strs.Hashes()
		for i, id := range ids {
			out[i] = hashes[id]
		}
	case c.long != nil:
		for i, id := range ids {
			out[i] = c.long.Hash(id)
		}
	default:
		keys := c.ints.Keys()
		for i, id := range ids {
			out[i] = Mix(uint64(keys[id]))
		}
	}
	if null >= 0 {
		for i, id := range ids {
			if int(id) == null {
				out[i] = nullHash
			}
		}
	}
}
