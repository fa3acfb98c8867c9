package aggregate

// radixFrom is from how many keys on passes over bytes are faster than comparisons.
const radixFrom = 256

// sortByPrefix orders keys by class and prefix; equal ones stay in their order. It goes over them once
// for each byte in which they differ, from the last one on (LSD radix sort; Knuth, TAOCP 3, 5.2.5).
// spare has the size of keys; the result is in either.
func sortByPrefix(keys, spare []termKey) []termKey {
	differ, classes := uint64(0), false
	for _, k := range keys {
		differ |= k.prefix ^ keys[0].prefix
		classes = classes || k.class != keys[0].class
	}
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff != 0 {
			distribute(spare, keys, shift)
			keys, spare = spare, keys
		}
	}
	if classes {
		distribute(spare, keys, classDigit)
		keys = spare
	}
	return keys
}

// classDigit stands for the class in distribute.
const classDigit = 64

// distribute copies keys in the order of a byte of their prefix, or of their class.
func distribute(to, keys []termKey, shift int) {
	var ends [256]int32
	for i := range keys {
		ends[keys[i].digit(shift)]++
	}
	n := int32(0)
	for d, rows := range ends {
		ends[d], n = n, n+rows
	}
	for i := range keys {
		d := keys[i].digit(shift)
		to[ends[d]] = keys[i]
		ends[d]++
	}
}

func (k *termKey) digit(shift int) uint8 {
	if shift == classDigit {
		return uint8(k.class + 1)
	}
	return uint8(k.prefix >> shift)
}
