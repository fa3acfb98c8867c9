package deletion

import (
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// exampleInline is the specification's inline vector of the rows 3, 4, 7, 11, 18 and 29
// (PROTOCOL.md, "JSON Example 3").
const exampleInline = "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"

// exampleNow is the same vector in the form that the specification describes: 44 bytes, from the
// tests of delta-kernel-rs (Apache-2.0).
const exampleNow = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"

func rowsOf(s *Set, from int64) (out []int64) {
	for first, end := range s.Ranges(from, math.MaxInt64) {
		for r := first; r < end; r++ {
			out = append(out, r)
		}
	}
	return out
}

func TestInlineExample(t *testing.T) {
	for text, size := range map[string]int64{exampleInline: 40, exampleNow: 44} {
		data, err := FromInline(text, size)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		want := []int64{3, 4, 7, 11, 18, 29}
		if got := rowsOf(s, 0); !slices.Equal(got, want) || s.Len() != 6 || s.Last() != 29 {
			t.Errorf("rows %d of %d, the last %d", got, s.Len(), s.Last())
		}
		if got := rowsOf(s, 7); !slices.Equal(got, want[2:]) {
			t.Errorf("from row 7: %d", got)
		}
	}
}

// TestRelativePath has the specification's example ("JSON Example 1").
func TestRelativePath(t *testing.T) {
	const file = "deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin"
	for text, want := range map[string]string{"ab^-aqEH.-t@S}K{vb[*k^": "ab/" + file, "^-aqEH.-t@S}K{vb[*k^": file} {
		if got, err := RelativePath(text); got != want || err != nil {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "short", "ab^-aqEH.-t@S}K{vb[*k\""} {
		if got, err := RelativePath(bad); err == nil {
			t.Errorf("%q is %q", bad, got)
		}
	}
}

// TestZ85 has the example of rfc.zeromq.org/spec/32.
func TestZ85(t *testing.T) {
	got, err := DecodeZ85("HelloWorld")
	if want := "864fd26fb559f75b"; err != nil || hex.EncodeToString(got) != want {
		t.Errorf("%x, %v", got, err)
	}
	for _, bad := range []string{"Hell", "Hello~orld", "#####"} {
		if got, err := DecodeZ85(bad); err == nil {
			t.Errorf("%q is %x", bad, got)
		}
	}
}

// vector writes a vector of one bucket by hand: the bytes of its Roaring bitmap are given.
func vector(key uint32, bitmap ...byte) []byte {
	out := binary.LittleEndian.AppendUint32(nil, magic)
	out = binary.LittleEndian.AppendUint64(out, 1)
	return append(binary.LittleEndian.AppendUint32(out, key), bitmap...)
}

// TestContainers reads containers of each kind, worked out by hand from the format's description.
func TestContainers(t *testing.T) {
	// The example of the format's section 4: 11 to 15 is "11, 4"; with the rows 20, 31, 32 and 33.
	runs := vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 8, 0, 3, 0, 11, 0, 4, 0, 20, 0, 0, 0, 31, 0, 2, 0)
	s, err := Decode(runs)
	if want := []int64{11, 12, 13, 14, 15, 20, 31, 32, 33}; err != nil || !slices.Equal(rowsOf(s, 0), want) {
		t.Errorf("%v, %v", s, err)
	}
	// Container 2 of bucket 1, a list of 1 and 65535, behind one offset.
	list := vector(1, 0x3a, 0x30, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 16, 0, 0, 0, 1, 0, 0xff, 0xff)
	s, err = Decode(list)
	if want := []int64{1<<32 + 2<<16 + 1, 1<<32 + 2<<16 + 65535}; err != nil || !slices.Equal(rowsOf(s, 0), want) {
		t.Errorf("%v, %v", s, err)
	}
	// A bitmap in which all rows but the third and the last are set.
	words := make([]byte, bitmapBytes)
	for i := range words {
		words[i] = 0xff
	}
	words[0], words[bitmapBytes-1] = 0b11111011, 0x7f
	rows := containerRows - 3
	s, err = Decode(vector(0, append([]byte{0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, byte(rows), byte(rows >> 8), 16, 0, 0, 0}, words...)...))
	if err != nil {
		t.Fatal(err)
	}
	var ranges [][2]int64
	for first, end := range s.Ranges(0, math.MaxInt64) {
		ranges = append(ranges, [2]int64{first, end})
	}
	if want := [][2]int64{{0, 2}, {3, 65535}}; !slices.Equal(ranges, want) || s.Len() != 65534 {
		t.Errorf("%d, %d rows", ranges, s.Len())
	}
}

func TestDamagedVectors(t *testing.T) {
	good, err := FromInline(exampleNow, 44)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, to byte) []byte {
		out := slices.Clone(good)
		out[at] = to
		return out
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"empty":          {nil, "too early"},
		"magic":          {change(0, 0xcf), "magic number"},
		"buckets":        {change(4, 2), "too early"},
		"short":          {good[:len(good)-1], "too early"},
		"more":           {append(slices.Clone(good), 0), "1 bytes follow"},
		"cookie":         {change(16, 1), "begins with"},
		"rows":           {change(26, 4), "follow"},
		"order":          {change(32, 99), "ascend"},
		"negative key":   {change(15, 0x80), "bucket"},
		"first form":     {binary.BigEndian.AppendUint32(nil, magicFirst), "too early"},
		"too many":       {vector(0, 0x3a, 0x30, 0, 0, 0xff, 0xff, 0xff, 0xff), "containers"},
		"runs too long":  {vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0xff, 0xff, 1, 0), "ascend"},
		"runs, other":    {vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 9, 0, 1, 0, 1, 0, 1, 0), "header"},
		"runs, overlaps": {vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 9, 0, 2, 0, 1, 0, 4, 0, 3, 0, 4, 0), "ascend"},
	} {
		if s, err := Decode(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

func TestFromFile(t *testing.T) {
	body := []byte("any bytes")
	data := append(binary.BigEndian.AppendUint32([]byte{1}, uint32(len(body))), body...)
	data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(body))
	size := int64(len(body))
	if from, n := FileRange(1, size); from != 0 || n != int64(len(data)) {
		t.Errorf("the range is %d, %d", from, n)
	}
	if from, n := FileRange(99, size); from != 99 || n != int64(len(data)-1) {
		t.Errorf("the range is %d, %d", from, n)
	}
	for _, c := range []struct {
		data   []byte
		offset int64
	}{{data, 1}, {data[1:], 99}} {
		if got, err := FromFile(c.data, c.offset, size); err != nil || string(got) != string(body) {
			t.Errorf("%q, %v", got, err)
		}
	}
	for at, want := range map[int]string{0: "version", 4: "elsewhere", 5: "checksum", len(data) - 1: "checksum"} {
		bad := slices.Clone(data)
		bad[at] ^= 4
		if got, err := FromFile(bad, 1, size); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d: %q, %v", at, got, err)
		}
	}
	if got, err := FromFile(data[:5], 1, size); err == nil {
		t.Errorf("a short file: %q", got)
	}
}

// TestWithin compares with single rows, in containers of each kind.
func TestWithin(t *testing.T) {
	words := make([]byte, bitmapBytes)
	for i := range words {
		words[i] = 0b10110111
	}
	rows := bitmapBytes * 6
	for _, data := range [][]byte{
		vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 8, 0, 3, 0, 11, 0, 4, 0, 20, 0, 0, 0, 31, 0, 2, 0),
		vector(0, 0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0, 16, 0, 0, 0, 1, 0, 2, 0, 90, 0, 0xff, 0xff),
		vector(0, append([]byte{0x3a, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, byte((rows - 1) & 0xff), byte((rows - 1) >> 8), 16, 0, 0, 0}, words...)...),
	} {
		s, err := Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		all := rowsOf(s, 0)
		seed := rand.Int63()
		r := rand.New(rand.NewSource(seed))
		for range 200 {
			from, to := r.Int63n(100), r.Int63n(70000)
			var want []int32
			for _, row := range all {
				if row >= from && row < to {
					want = append(want, int32(row-from))
				}
			}
			if got := s.Append(nil, from, to); !slices.Equal(got, want) || s.Within(from, to) != int64(len(want)) {
				t.Fatalf("seed %d: rows %d to %d: %d, want %d", seed, from, to, got, want)
			}
		}
	}
}

// FuzzDecode: whatever is no error is a set that ascends and has as many rows as it says.
func FuzzDecode(f *testing.F) {
	for text, size := range map[string]int64{exampleInline: 40, exampleNow: 44} {
		good, err := FromInline(text, size)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(good)
	}
	f.Add(vector(0, 0x3b, 0x30, 0, 0, 1, 0, 0, 8, 0, 3, 0, 11, 0, 4, 0, 20, 0, 0, 0, 31, 0, 2, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil {
			return
		}
		last, rows := int64(-1), int64(0)
		for first, end := range s.Ranges(0, math.MaxInt64) {
			if first <= last || end <= first {
				t.Fatalf("range %d to %d after row %d", first, end, last)
			}
			last, rows = end-1, rows+end-first
		}
		if rows != s.Len() || last != s.Last() || s.Bytes() > 96+int64(len(data))*100 {
			t.Fatalf("%d rows, %d are said; the last is %d, %d is said; %d bytes", rows, s.Len(), last, s.Last(), s.Bytes())
		}
	})
}
