package vector

import "encoding/binary"

// RoughKey is an integer for row i, which is no NULL: where the integers of two values
// differ, they have the order of the values. It is OrderedPrefix but for wide numbers and intervals, most of
// which are small: their first 8 bytes would all be the same. Nested values have 0.
func RoughKey(v *Vector, i int) uint64 {
	switch v.Type.Storage() {
	case StoreInt128:
		return roughInt128(v.stored().I128[v.index(i)])
	case StoreInterval:
		return roughInt128(v.stored().Interval[v.index(i)].Normal())
	}
	return OrderedPrefix(v, i)
}

// AppendRoughKeys appends the RoughKey of the rows of v from one on. Under NULLs is any integer.
func AppendRoughKeys(to []uint64, v *Vector, from int) []uint64 {
	if v.Type.Storage() != StoreString {
		for i := from; i < v.Len; i++ {
			to = append(to, RoughKey(v, i))
		}
		return to
	}
	for _, s := range v.Str[from:v.Len] {
		to = append(to, RoughText(s))
	}
	return to
}

// RoughText is the RoughKey of a text: its first bytes.
func RoughText(s string) uint64 {
	if len(s) >= 8 {
		return binary.BigEndian.Uint64([]byte(s[:8]))
	}
	key := uint64(0)
	for i := range len(s) {
		key |= uint64(s[i]) << (56 - 8*i)
	}
	return key
}

// roughInt128 maps numbers of 63 bits to different integers, and others by their upper word.
func roughInt128(x Int128) uint64 {
	const small = 1 << 62 // from -small up to small
	switch low := int64(x.Lo); {
	case x.Hi == low>>63 && low >= -small && low < small:
		return uint64(low) + signBit
	case x.Hi >= 0:
		return signBit + small + uint64(x.Hi)>>1
	}
	return (uint64(x.Hi) ^ signBit) >> 1
}
