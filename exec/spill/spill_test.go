package spill

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/parquetsql/parquetsql/internal/leaktest"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/block"
	"github.com/parquetsql/parquetsql/vector"
)

// sample has a row with a value, one with NULL and one with another value, of
// every storage.
func sample() []*vector.Vector {
	list := vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true})
	group := vector.Type{Kind: vector.Struct, Fields: []vector.Field{{Name: "x", Type: vector.Of(vector.BigInt)}}}
	var cols []*vector.Vector
	for _, t := range []vector.Type{
		vector.Of(vector.Boolean), vector.Of(vector.BigInt), vector.Of(vector.UBigInt), vector.DecimalType(30, 1),
		vector.Of(vector.Float), vector.Of(vector.Double), vector.Of(vector.Varchar), vector.Of(vector.Interval), vector.Of(vector.Null), list, group,
	} {
		v := vector.New(t, 3)
		v.SetNull(1)
		switch t.Storage() {
		case vector.StoreBool:
			v.Bool[2] = true
		case vector.StoreInt64:
			v.I64[0], v.I64[2] = -1, 1<<62
		case vector.StoreUint64:
			v.U64[0], v.U64[2] = 1<<63, 1
		case vector.StoreInt128:
			v.I128[0], v.I128[2] = vector.Int128{Hi: -5, Lo: 7}, vector.Int128{Hi: 1}
		case vector.StoreFloat32:
			v.F32[0], v.F32[2] = -1.5, 3
		case vector.StoreFloat64:
			v.F64[0], v.F64[2] = -1.5, 3e300
		case vector.StoreString:
			v.Str[0], v.Str[2] = "", "text\x00"
		case vector.StoreInterval:
			v.Interval[0], v.Interval[2] = vector.IntervalValue{Months: 1, Days: -2, Micros: 3}, vector.IntervalValue{}
		case vector.StoreNested:
			inner := vector.New(t.Fields[0].Type, 3)
			copy(inner.Str, []string{"a", "b", "c"})
			copy(inner.I64, []int64{7, 8, 9})
			v.Offsets, v.Children = []int32{0, 2, 2, 3}, []*vector.Vector{inner}
		}
		cols = append(cols, v)
	}
	return cols
}

func write(t *testing.T, f *File, cols []*vector.Vector) Block {
	data := block.Begin(nil, 3)
	data = block.AppendBytes(data, []byte("abcdef"), []int{1, 1, 6})
	for _, c := range cols {
		data = block.AppendColumn(data, c)
	}
	b, err := f.Append(data)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestRoundTrip: blocks come back as they were, from a plain and from an encrypted file.
func TestRoundTrip(t *testing.T) {
	for _, encrypt := range []bool{false, true} {
		t.Run(fmt.Sprint(encrypt), func(t *testing.T) { roundTrip(t, encrypt) })
	}
}

func roundTrip(t *testing.T, encrypt bool) {
	leaktest.Check(t)
	f := New(leaktest.Folder(t), encrypt, nil)
	defer f.Close()
	cols := sample()
	write(t, f, cols[:1])
	data, err := f.Read(nil, write(t, f, cols))
	if err != nil {
		t.Fatal(err)
	}
	r, n, err := block.Open(data)
	if n != 3 || err != nil {
		t.Fatal(n, err)
	}
	all, ends, err := r.Bytes(n)
	if string(all) != "abcdef" || ends[2] != 6 || err != nil {
		t.Errorf("bytes %q %d %v", all, ends, err)
	}
	for _, c := range cols {
		got := &vector.Vector{}
		if err := r.Column(got, c.Type, n); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			a, b := c.Get(i), got.Get(i)
			if a.Nested != nil && b.Nested != nil {
				x, y := a.Nested.Children[0], b.Nested.Children[0]
				if x.Len != y.Len || x.Len > 0 && (x.Get(0).Str != y.Get(0).Str || x.Get(0).I64 != y.Get(0).I64) {
					t.Errorf("%s row %d came back different", c.Type, i)
				}
				a.Nested, b.Nested = nil, nil
			}
			a.Type, b.Type = vector.Type{}, vector.Type{}
			if a.Null != b.Null || !a.Null && (a.Bool != b.Bool || a.I64 != b.I64 || a.U64 != b.U64 || a.I128 != b.I128 ||
				a.F32 != b.F32 || a.F64 != b.F64 || a.Str != b.Str || a.Interval != b.Interval) {
				t.Errorf("%s row %d came back as %+v, was %+v", c.Type, i, b, a)
			}
		}
	}
}

// TestChangedOnDisk: a file that another program wrote to is an error.
func TestChangedOnDisk(t *testing.T) {
	leaktest.Check(t)
	f := New(leaktest.Folder(t), false, nil)
	defer f.Close()
	b := write(t, f, sample())
	if _, err := f.f.WriteAt([]byte{0xff}, 20); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(nil, b); err == nil {
		t.Error("the change was not noticed")
	}
	if err := f.f.Truncate(10); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(nil, b); err == nil {
		t.Error("the truncation was not noticed")
	}
}

// TestLongBlocks: blocks of any length come back, and an error where a piece was changed.
func TestLongBlocks(t *testing.T) {
	leaktest.Check(t)
	for _, encrypt := range []bool{false, true} {
		f := New(leaktest.Folder(t), encrypt, nil)
		defer f.Close()
		for _, n := range []int{0, 1, quota.BlockBytes - 20, quota.BlockBytes, quota.BlockBytes + 1, 3*quota.BlockBytes + 5} {
			text := make([]byte, n)
			for i := range text {
				text[i] = byte(i * i >> 7)
			}
			data := block.AppendBytes(block.Begin(nil, 1), text, []int{n})
			b, err := f.Append(data)
			if err != nil || len(b.rest) != (len(data)-crcSize-1)/quota.BlockBytes {
				t.Fatalf("%d bytes: %d pieces and one, %v", n, len(b.rest), err)
			}
			back, err := f.Read(nil, b)
			if err != nil || !bytes.Equal(back[crcSize:], data[crcSize:]) {
				t.Fatalf("%d bytes came back otherwise: %v", n, err)
			}
			if len(b.rest) == 0 {
				continue
			}
			if _, err := f.f.WriteAt([]byte{1, 2, 3, 4}, b.rest[0].off); err != nil {
				t.Fatal(err)
			}
			if _, err := f.Read(nil, b); !errors.Is(err, block.ErrChanged) {
				t.Errorf("the second piece was changed: %v", err)
			}
		}
	}
}

// TestEncrypted: an encrypted file does not have the text of the rows, no one else may
// read it, and each change is noticed even if the CRC is right.
func TestEncrypted(t *testing.T) {
	leaktest.Check(t)
	secret := bytes.Repeat([]byte("do not tell anybody; "), 50)
	stored := map[bool][]byte{}
	for _, encrypt := range []bool{false, true} {
		f := New(leaktest.Folder(t), encrypt, nil)
		defer f.Close()
		var blocks [2]Block
		for i := range blocks {
			var err error
			if blocks[i], err = f.Append(block.AppendBytes(block.Begin(nil, 1), secret, []int{len(secret)})); err != nil {
				t.Fatal(err)
			}
		}
		info, err := f.f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the file's permissions are %o", mode)
		}
		stored[encrypt] = make([]byte, info.Size())
		if _, err = f.f.ReadAt(stored[encrypt], 0); err != nil {
			t.Fatal(err)
		}
		if encrypt {
			sealedBlocks(t, f, blocks)
		}
	}
	if !bytes.Contains(stored[false], secret[:20]) {
		t.Error("the plain file does not have the text: the test proves nothing")
	}
	if bytes.Contains(stored[true], secret[:8]) {
		t.Error("the encrypted file has the text")
	}
}

// sealedBlocks changes and swaps two blocks that have the same content.
func sealedBlocks(t *testing.T, f *File, blocks [2]Block) {
	size := blocks[0].stored
	original := make([]byte, 2*size)
	if _, err := f.f.ReadAt(original, 0); err != nil || blocks[1].stored != size {
		t.Fatal(err, blocks)
	}
	put := func(data []byte, at Block) error {
		binary.LittleEndian.PutUint32(data, crc32.Checksum(data[crcSize:], castagnoli))
		if _, err := f.f.WriteAt(data, at.off); err != nil {
			t.Fatal(err)
		}
		_, err := f.Read(nil, at)
		return err
	}
	for at := crcSize; at < size; at++ {
		changed := bytes.Clone(original[:size])
		changed[at] ^= 1
		if err := put(changed, blocks[0]); !errors.Is(err, block.ErrChanged) {
			t.Errorf("byte %d was changed: %v", at, err)
		}
	}
	if err := put(bytes.Clone(original[size:]), blocks[0]); !errors.Is(err, block.ErrChanged) {
		t.Errorf("the second block in place of the first: %v", err)
	}
	if err := put(bytes.Clone(original[:size]), blocks[0]); err != nil {
		t.Errorf("the block as it was: %v", err)
	}
}

// TestNothingLeft: the folder is empty after Close, and on Unix before it too, so that a
// killed process leaves nothing; a program that cleans the folder disturbs nobody.
func TestNothingLeft(t *testing.T) {
	leaktest.Check(t)
	dir := leaktest.Folder(t)
	f := New(dir, false, nil)
	b := write(t, f, sample())
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 0 && runtime.GOOS != "windows" {
		t.Errorf("the folder has %s", entries[0].Name())
	}
	if _, err := f.Read(nil, b); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoFolder(t *testing.T) {
	f := New(filepath.Join(t.TempDir(), "missing"), false, nil)
	if _, err := f.Append(block.Begin(nil, 0)); err == nil {
		t.Error("no error")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
