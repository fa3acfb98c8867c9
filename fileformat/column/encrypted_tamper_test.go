package column

import (
	"bytes"
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/fileformat/page"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// module is a range of bytes of a file.
type module struct {
	from, to int64
	chunk    *fileformat.ColumnChunk
	body     bool // a page without its header
}

// modulesOf finds the modules of a file's pages and indexes.
func modulesOf(t *testing.T, f *fileformat.File, data []byte) (out []module) {
	t.Helper()
	for _, g := range f.RowGroups() {
		for _, c := range g.Columns {
			add := func(from, to int64, body bool) { out = append(out, module{from, to, c, body}) }
			err := page.Each(c, bytes.NewReader(data), func(p *page.Page) error {
				add(p.Offset, p.Body, false)
				add(p.Body, p.Offset+p.Length(), true)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			add(c.OffsetIndexOffset, c.OffsetIndexOffset+int64(c.OffsetIndexLength), false)
			add(c.ColumnIndexOffset, c.ColumnIndexOffset+int64(c.ColumnIndexLength), false)
			if at := c.Meta.BloomFilterOffset; at > 0 {
				header := at + 4 + int64(data[at]) // a short module
				add(at, header, false)
				add(header, at+int64(c.Meta.BloomFilterLength), false)
			}
		}
	}
	return out
}

// noticed reports whether reading a chunk of the data ends with a CorruptError.
func noticed(t *testing.T, c *fileformat.ColumnChunk, data []byte) bool {
	t.Helper()
	var all contents
	var corrupt *errs.CorruptError
	return errors.As(all.add(t, c, bytes.NewReader(data)), &corrupt)
}

// TestEncryptedFlips changes each byte of files. In GCM mode every change of a module is
// noticed, in CTR mode every one but that of a page body.
func TestEncryptedFlips(t *testing.T) {
	for _, name := range []string{"gcm_sealed_128_none_uniform", "gcm_plain_256_stored_uniform", "ctr_sealed_192_supplied_uniform"} {
		data, keys := matrixFile(t, name+".parquet.encrypted")
		f, err := openUnlocked(t, data, keys)
		if err != nil {
			t.Fatal(err)
		}
		next := int64(4)
		modules := modulesOf(t, f, data)
		slices.SortFunc(modules, func(a, b module) int { return cmp.Compare(a.from, b.from) })
		for _, m := range modules {
			if m.from != next {
				t.Fatalf("%s: bytes from %d to %d are in no module", name, next, m.from)
			}
			next = m.to
			if m.body && strings.HasPrefix(name, "ctr") {
				continue
			}
			for i := m.from; i < m.to; i++ {
				data[i] ^= 1 << (i % 8)
				if !noticed(t, m.chunk, data) {
					t.Errorf("%s: byte %d of %d, of the module at %d", name, i, len(data), m.from)
				}
				data[i] ^= 1 << (i % 8)
			}
		}
		if next != f.DataEnd() {
			t.Fatalf("%s: bytes from %d to %d are in no module", name, next, f.DataEnd())
		}
		flipsOutside(t, name, data, keys, int(f.DataEnd()))
	}
}

// flipsOutside changes each byte of the magic number and of what follows the last module:
// the footer with what it needs. Nothing protects FileCryptoMetaData itself. Where a
// change of it says nothing else to the reader (the metadata of a key that is found
// without it, a field that has its default), all that is read is as before.
func flipsOutside(t *testing.T, name string, data []byte, keys chunktest.Keys, end int) {
	t.Helper()
	want, err := readContents(t, data, keys)
	if err != nil {
		t.Fatal(err)
	}
	clear := end
	if strings.Contains(name, "sealed") {
		clear = bytes.LastIndex(data, []byte("footer")) + len("footer")
	}
	for i := range data {
		if i >= 4 && i < end {
			continue
		}
		data[i] ^= 1 << (i % 8)
		if _, err := openUnlocked(t, data, keys); err == nil {
			got, err := readContents(t, data, keys)
			if i < end || i >= clear || err == nil && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: byte %d of %d", name, i, len(data))
			}
		}
		data[i] ^= 1 << (i % 8)
	}
	for i := 0; i < len(data); i += 7 {
		var corrupt *errs.CorruptError
		if _, err := openUnlocked(t, data[:i], keys); !errors.As(err, &corrupt) {
			t.Errorf("%s: cut to %d of %d bytes: %v", name, i, len(data), err)
		}
	}
}

// TestEncryptedSwaps exchanges every two modules of the same length, within a file and
// between files with the same key.
func TestEncryptedSwaps(t *testing.T) {
	data, keys := matrixFile(t, "gcm_sealed_128_none_uniform.parquet.encrypted")
	f, err := openUnlocked(t, data, keys)
	if err != nil {
		t.Fatal(err)
	}
	modules := modulesOf(t, f, data)
	swaps := 0
	for i, a := range modules {
		for _, b := range modules[:i] {
			if a.to-a.from != b.to-b.from {
				continue
			}
			swaps++
			changed := bytes.Clone(data)
			copy(changed[a.from:], data[b.from:b.to])
			copy(changed[b.from:], data[a.from:a.to])
			if !noticed(t, a.chunk, changed) || !noticed(t, b.chunk, changed) {
				t.Errorf("modules at %d and %d", a.from, b.from)
			}
		}
	}
	other, otherKeys := matrixFile(t, "gcm_plain_128_none_uniform.parquet.encrypted")
	otherFile, err := openUnlocked(t, other, otherKeys)
	if err != nil {
		t.Fatal(err)
	}
	foreign := modulesOf(t, otherFile, other)
	for i, a := range modules[:min(len(modules), len(foreign))] {
		if b := foreign[i]; a.from == b.from && a.to == b.to {
			swaps++
			changed := bytes.Clone(data)
			copy(changed[a.from:], other[b.from:b.to])
			if !noticed(t, a.chunk, changed) {
				t.Errorf("another file's module at %d", a.from)
			}
		}
	}
	if swaps < 100 {
		t.Errorf("only %d swaps", swaps)
	}
}

// TestEncryptedUncertain: files of arrow-go with a plaintext footer name AES_GCM_V1 for both
// algorithms. A changed or exchanged page in GCM mode is noticed all the same, also where
// it is the first page of the file that is read.
func TestEncryptedUncertain(t *testing.T) {
	for _, name := range []string{
		"gcm_plain_128_supplied_uniform", "gcm_plain_192_stored_columns", // uncompressed, version 1 and 2
		"gcm_plain_128_stored_uniform", "gcm_plain_128_none_uniform", // Snappy, Zstandard
	} {
		data, keys := matrixFile(t, name+".parquet.encrypted")
		f, err := openUnlocked(t, data, keys)
		if err != nil {
			t.Fatal(err)
		}
		bodies := slices.DeleteFunc(modulesOf(t, f, data), func(m module) bool { return !m.body || !m.chunk.Encrypted() })
		check := func(data []byte, m module, what any) {
			f, err := openUnlocked(t, data, keys)
			if err != nil {
				t.Fatal(err)
			}
			if !noticed(t, f.RowGroups()[m.chunk.RowGroup.Index].Columns[m.chunk.Leaf.Leaf], data) {
				t.Errorf("%s: the page at %d, changed: %v", name, m.from, what)
			}
		}
		for i, a := range bodies {
			for k := a.from; k < a.to; k++ {
				data[k] ^= 1 << (k % 8)
				check(data, a, k)
				data[k] ^= 1 << (k % 8)
			}
			for _, b := range bodies[:i] {
				if a.to-a.from == b.to-b.from {
					changed := bytes.Clone(data)
					copy(changed[a.from:], data[b.from:b.to])
					copy(changed[b.from:], data[a.from:a.to])
					check(changed, a, b.from)
					check(changed, b, a.from)
				}
			}
		}
		if len(bodies) < 10 {
			t.Errorf("%s: only %d pages", name, len(bodies))
		}
	}
}

// FuzzEncrypted reads changed encrypted files with their keys: what is not authenticated
// (FileCryptoMetaData, the lengths of modules, pages in CTR mode) may have any content.
func FuzzEncrypted(f *testing.F) {
	names := []string{"gcm_sealed_128_none_uniform", "ctr_sealed_128_stored_columns", "ctr_plain_128_none_columns"}
	for _, name := range names {
		data, _ := matrixFile(f, name+".parquet.encrypted")
		f.Add(data)
	}
	_, keys := matrixFile(f, names[1]+".parquet.encrypted") // all have the same keys
	f.Fuzz(func(t *testing.T, data []byte) { readWithKeys(t, data, keys) })
}
