package encoding

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// The examples of Encodings.md and AlpEncoding.md, byte by byte.
func TestSpecificationExamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	zeroToSeven := []uint8{0, 1, 2, 3, 4, 5, 6, 7}
	var l Levels
	check(t, r, []byte{1<<1 | 1, 0b10001000, 0b11000110, 0b11111010}, zeroToSeven,
		func(data []byte, n int) (source[uint8], error) { return &l, l.Reset(data, 7, n) })
	check(t, r, []byte{0b00000101, 0b00111001, 0b01110111}, zeroToSeven,
		func(data []byte, n int) (source[uint8], error) { return &l, l.ResetBitPacked(data, 7, n) })

	d, err := NewInt64(fileformat.DeltaBinaryPacked)
	// Header 8, 1, 5, 1; block: minimum 1, width 0. Signed numbers are zigzag.
	check(t, r, []byte{8, 1, 5, 2, 2, 0}, []int64{1, 2, 3, 4, 5}, decoder(t, d, err))
	// Header 8, 1, 8, 7; block: minimum -2, width 2, 0,0,0,3,3,3,3.
	check(t, r, []byte{8, 1, 8, 14, 3, 2, 0b11000000, 0b00111111},
		[]int64{7, 5, 3, 1, 2, 3, 4, 5}, decoder(t, d, err))

	s, err := NewBytes(fileformat.DeltaLengthByteArray)
	// Lengths 5, 5, 6, 6: deltas 0, 1, 0, the minimum 0, one bit each.
	lengths := []byte{8, 1, 4, 10, 0, 1, 0b010}
	check(t, r, append(lengths, "HelloWorldFoobarABCDEF"...),
		[]string{"Hello", "World", "Foobar", "ABCDEF"}, decoder(t, s, err))

	s, err = NewBytes(fileformat.DeltaByteArray)
	// Prefixes 0, 2, 0, 3: deltas 2, -2, 3, minus the minimum 4, 0, 5 in three bits.
	// Suffixes 4, 2, 6, 5: deltas -2, 4, -1, minus the minimum 0, 6, 1 in three bits.
	page := []byte{8, 1, 4, 0, 3, 3, 0b01000100, 0b1, 0, 8, 1, 4, 8, 3, 3, 0b01110000, 0, 0}
	check(t, r, append(page, "axislebabbleyhood"...),
		[]string{"axis", "axle", "babble", "babyhood"}, decoder(t, s, err))

	f, err := NewFixed(fileformat.ByteStreamSplit, 4)
	check(t, r, []byte{0xAA, 0x00, 0xA3, 0xBB, 0x11, 0xB4, 0xCC, 0x22, 0xC5, 0xDD, 0x33, 0xD6},
		[]string{"\xAA\xBB\xCC\xDD", "\x00\x11\x22\x33", "\xA3\xB4\xC5\xD6"}, decoder(t, f, err))

	a, err := NewDouble(fileformat.ALP)
	check(t, r, alpExample(), []float64{1500, math.NaN(), 2500, 333.5}, decoder(t, a, err))
}

// alpExample is "Worked Example: Exceptions and Non-Zero Factor" of
// AlpEncoding.md as a page of one vector.
func alpExample() []byte {
	page := []byte{0, 0, 3, 4, 0, 0, 0, 4, 0, 0, 0}
	vector := []byte{4, 3, 1, 0}
	vector = binary.LittleEndian.AppendUint64(vector, 3335)
	vector = append(vector, 15)
	vector = append(vector, packBits([]uint64{11665, 11665, 21665, 0}, 15)...)
	vector = binary.LittleEndian.AppendUint16(vector, 1)
	vector = binary.LittleEndian.AppendUint64(vector, math.Float64bits(math.NaN()))
	if len(vector) != 31 {
		panic("the specification counts 31 bytes")
	}
	return append(page, vector...)
}

// TestLies decodes pages with wrong counts, widths and lengths. Each must fail before
// memory or time grows with the wrong number.
func TestLies(t *testing.T) {
	const huge = 1 << 30
	varint := func(v uint64) []byte { return binary.AppendUvarint(nil, v) }
	join := func(parts ...[]byte) (out []byte) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	ints := func(e fileformat.Encoding) func([]byte) error {
		return func(data []byte) error {
			d, err := NewInt32(e)
			return first(t, d, err, data, huge)
		}
	}
	texts := func(e fileformat.Encoding) func([]byte) error {
		return func(data []byte) error {
			d, err := NewBytes(e)
			return first(t, d, err, data, huge)
		}
	}
	alp := func(data []byte) error {
		d, err := NewDouble(fileformat.ALP)
		return first(t, d, err, data, huge)
	}
	codes := func(dictLen int) func([]byte) error {
		return func(data []byte) error {
			var x Indices
			if err := x.Reset(data, dictLen, huge); err != nil {
				return err
			}
			_, err := x.Decode(make([]int32, 100))
			return err
		}
	}
	bools := func(data []byte) error {
		d, err := NewBool(fileformat.RLE)
		return first(t, d, err, data, huge)
	}
	damage := func(at int, b byte) []byte {
		page := alpExample()
		page[at] = b
		return page
	}
	cases := map[string]struct {
		data []byte
		read func([]byte) error
	}{
		"delta: total above the page's":    {join([]byte{0x80, 1, 4}, varint(huge+1), []byte{0, 0, 0, 0, 0, 0}), ints(fileformat.DeltaBinaryPacked)},
		"delta: total beyond 64 bits":      {join([]byte{0x80, 1, 4}, varint(math.MaxUint64), []byte{0}), ints(fileformat.DeltaBinaryPacked)},
		"delta: no miniblocks":             {[]byte{0x80, 1, 0, 9, 0, 0, 0}, ints(fileformat.DeltaBinaryPacked)},
		"delta: empty block":               {[]byte{0, 4, 9, 0, 0, 0}, ints(fileformat.DeltaBinaryPacked)},
		"delta: odd miniblock":             {[]byte{0x80, 1, 3, 9, 0, 0, 0}, ints(fileformat.DeltaBinaryPacked)},
		"delta: miniblock not whole bytes": {[]byte{4, 1, 9, 0, 0, 0, 0, 0}, ints(fileformat.DeltaBinaryPacked)},
		"delta: more widths than bytes":    {join(varint(1<<30), varint(1<<27), []byte{9, 0, 0, 0, 0}), ints(fileformat.DeltaBinaryPacked)},
		"delta: 35 bits in an int32":       {join([]byte{8, 1, 9, 0, 0, 35}, make([]byte, 100)), ints(fileformat.DeltaBinaryPacked)},
		"delta: number without end":        {[]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}, ints(fileformat.DeltaBinaryPacked)},
		"delta: only a header":             {join([]byte{0x80, 1, 4}, varint(huge), []byte{0}), ints(fileformat.DeltaBinaryPacked)},
		"delta length: negative":           {[]byte{8, 1, 2, 1, 0, 0}, texts(fileformat.DeltaLengthByteArray)},
		"delta length: no bytes":           {[]byte{8, 1, 2, 200, 1, 0, 0, 'x'}, texts(fileformat.DeltaLengthByteArray)},
		"delta strings: negative prefix":   {[]byte{8, 1, 1, 1, 8, 1, 1, 2, 'x'}, texts(fileformat.DeltaByteArray)},
		"delta strings: prefix of nothing": {[]byte{8, 1, 1, 2, 8, 1, 1, 2, 'x'}, texts(fileformat.DeltaByteArray)},
		"delta strings: fewer suffixes":    {[]byte{8, 1, 3, 0, 0, 0, 8, 1, 1, 2, 'x'}, texts(fileformat.DeltaByteArray)},
		"plain: length":                    {[]byte{255, 255, 255, 255, 'x'}, texts(fileformat.Plain)},
		"plain: half a length":             {[]byte{255, 255}, texts(fileformat.Plain)},
		"split: not a multiple":            {make([]byte, 7), ints(fileformat.ByteStreamSplit)},
		"split: short":                     {make([]byte, 8), ints(fileformat.ByteStreamSplit)},
		"codes: 33 bits":                   {[]byte{33, 2, 0, 0, 0, 0, 0}, codes(9)},
		"codes: above the dictionary":      {[]byte{8, 200, 1, 9}, codes(9)},
		"codes: above it in 32 bits":       {join([]byte{32, 3}, []byte{0, 0, 0, 128}, make([]byte, 28)), codes(math.MaxInt32)},
		"codes: negative":                  {[]byte{32, 200, 1, 255, 255, 255, 255}, codes(math.MaxInt32)},
		"codes: wider than they are":       {[]byte{7, 200, 1, 128}, codes(math.MaxInt32)},
		"codes: no dictionary":             {[]byte{0, 200, 1}, codes(0)},
		"codes: run header of 33 bits":     {join([]byte{0}, varint(1<<32), []byte{0}), codes(9)},
		"codes: empty runs only":           {join([]byte{1}, make([]byte, 1<<16)), codes(9)},
		"codes: cut run":                   {[]byte{8, 0xFF, 0xFF, 0xFF, 0x7F, 1, 2, 3}, codes(9)},
		"bools: length":                    {[]byte{9, 0, 0, 0, 200, 1, 1}, bools},
		"bools: repeated 2":                {[]byte{3, 0, 0, 0, 200, 1, 2}, bools},
		"alp: mode":                        {damage(0, 1), alp},
		"alp: integers":                    {damage(1, 1), alp},
		"alp: vectors of 4":                {damage(2, 2), alp},
		"alp: vectors of 65536":            {damage(2, 16), alp},
		"alp: total":                       {damage(6, 127), alp},
		"alp: more vectors than offsets":   {damage(4, 127), alp},
		"alp: offset":                      {damage(7, 3), alp},
		"alp: offset beyond the page":      {damage(10, 1), alp},
		"alp: exponent":                    {damage(11, 19), alp},
		"alp: factor":                      {damage(12, 5), alp},
		"alp: exceptions":                  {damage(13, 2), alp},
		"alp: width":                       {damage(23, 65), alp},
		"alp: exception out of place":      {damage(32, 4), alp},
	}
	for name, c := range cases {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := c.read(c.data)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if size := after.TotalAlloc - before.TotalAlloc; size > 1<<16+2*uint64(len(c.data)) {
			t.Errorf("%s: %d bytes allocated", name, size)
		}
	}
}

// first decodes a hundred values.
func first[T any](t *testing.T, d Decoder[T], err error, data []byte, n int) error {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Reset(data, n); err != nil {
		return err
	}
	_, err = d.Decode(make([]T, 100))
	return err
}

// TestGrowth decodes a page of DELTA_BYTE_ARRAY whose values are a thousand times as
// long as the page: each repeats 50,000 bytes and adds one.
func TestGrowth(t *testing.T) {
	const n, long = 1000, 50_000
	r := rand.New(rand.NewPCG(1, 1))
	base := strings.Repeat("x", long)
	values, prefixes, suffixes := []string{base}, []int64{0}, []string{base}
	for i := 1; i < n; i++ {
		suffixes = append(suffixes, "yz"[i%2:i%2+1])
		prefixes = append(prefixes, long)
		values = append(values, base+suffixes[i])
	}
	page := append(encodeDelta(r, prefixes, 32, 128, 4, false), encodeDeltaLength(r, suffixes)...)
	d, err := NewBytes(fileformat.DeltaByteArray)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Reset(page, n); err != nil {
		t.Fatal(err)
	}
	dst := make([]string, n)
	for at, calls := 0, 0; at < n; calls++ {
		k, err := d.Decode(dst)
		if err != nil || k == 0 || k > maxBuilt/long+2 {
			t.Fatalf("call %d: %d values, %v", calls, k, err)
		}
		same(t, "values", dst[:k], values[at:at+k])
		at += k
	}
}

// TestSkipLongValues skips values that share a long prefix: the prefix is copied
// once, not once per block of lengths.
func TestSkipLongValues(t *testing.T) {
	const n, long = 20_001, 50_000
	r := rand.New(rand.NewPCG(1, 1))
	base := strings.Repeat("x", long)
	prefixes, suffixes := []int64{0}, []string{base}
	for i := 1; i < n; i++ {
		prefixes, suffixes = append(prefixes, int64(long-i%2)), append(suffixes, "yz"[i%2:i%2+1])
	}
	page := append(encodeDelta(r, prefixes, 32, 128, 4, false), encodeDeltaLength(r, suffixes)...)
	d, err := NewBytes(fileformat.DeltaByteArray)
	if err != nil {
		t.Fatal(err)
	}
	var last [1]string
	allocations := testing.AllocsPerRun(1, func() {
		if err := d.Reset(page, n); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			if _, err := d.Skip((n - 1) / 4); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := d.Decode(last[:]); err != nil {
			t.Fatal(err)
		}
	})
	if want := base[:long-1] + suffixes[n-2] + suffixes[n-1]; last[0] != want {
		t.Errorf("the last value has %d bytes, want %d", len(last[0]), len(want))
	}
	if allocations > 10 {
		t.Errorf("%v allocations", allocations)
	}
}

func TestUnsupported(t *testing.T) {
	for e := fileformat.Encoding(-1); e < 12; e++ {
		_, e1 := NewBool(e)
		_, e2 := NewInt32(e)
		_, e3 := NewInt64(e)
		_, e4 := NewInt96(e)
		_, e5 := NewFloat(e)
		_, e6 := NewDouble(e)
		_, e7 := NewBytes(e)
		_, e8 := NewFixed(e, 3)
		for i, err := range []error{e1, e2, e3, e4, e5, e6, e7, e8} {
			if err != nil && (!errors.Is(err, errs.ErrUnsupported) || !strings.Contains(err.Error(), e.String())) {
				t.Errorf("%v, constructor %d: %v", e, i, err)
			}
		}
	}
}

// TestNothing decodes pages without bytes, such as a page with only NULLs in any
// encoding. That is no error until a value is requested.
func TestNothing(t *testing.T) {
	for e := range fileformat.Encoding(11) {
		if d, err := NewBool(e); err == nil {
			nothing(t, e, d)
		}
		if d, err := NewInt32(e); err == nil {
			nothing(t, e, d)
		}
		if d, err := NewDouble(e); err == nil {
			nothing(t, e, d)
		}
		if d, err := NewBytes(e); err == nil {
			nothing(t, e, d)
		}
		if d, err := NewFixed(e, 3); err == nil {
			nothing(t, e, d)
		}
	}
	var x Indices
	if err := x.Reset(nil, 9, 5); err != nil {
		t.Error(err)
	}
	if _, err := x.Decode(make([]int32, 1)); err == nil {
		t.Error("a code from an empty page")
	}
	// With a width of 0 the only code is 0, and no bytes need to follow.
	codes := []int32{7, 7, 7}
	if err := x.Reset([]byte{0}, 1, 5); err != nil {
		t.Error(err)
	}
	if k, err := x.Decode(codes); k != 3 || err != nil || codes[0]|codes[1]|codes[2] != 0 {
		t.Errorf("%d, %v, %v", k, err, codes)
	}
}

func nothing[T any](t *testing.T, e fileformat.Encoding, d Decoder[T]) {
	t.Helper()
	if err := d.Reset(nil, 5); err != nil {
		t.Errorf("%v: %v", e, err)
	}
	if k, err := d.Decode(nil); k != 0 || err != nil {
		t.Errorf("%v: %d, %v", e, k, err)
	}
	if k, err := d.Decode(make([]T, 1)); err == nil {
		t.Errorf("%v: %d values from an empty page", e, k)
	}
}
