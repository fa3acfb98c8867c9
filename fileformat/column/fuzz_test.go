package column

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// readEverything reads all chunks of a file and skips damaged parts, up to a number of
// batches per chunk. Errors must be of the kinds that the package documents.
func readEverything(t testing.TB, data []byte) { readWithKeys(t, data, nil) }

// readWithKeys is readEverything for a file that may be encrypted.
func readWithKeys(t testing.TB, data []byte, keys fileformat.Keys) {
	expect := func(err error) {
		var corrupt *errs.CorruptError
		if err != nil && !errors.As(err, &corrupt) && !errors.Is(err, errs.ErrUnsupported) && !errors.Is(err, errs.ErrMemoryLimit) && !errors.Is(err, errs.ErrKeyMissing) {
			t.Fatalf("an error of an undocumented kind: %v", err)
		}
	}
	source := bytes.NewReader(data)
	f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "test", VerifyChecksums: true, Keys: keys})
	if expect(err); err != nil {
		return
	}
	for leaf := range f.Schema.Leaves {
		unlocked, err := f.Unlock(t.Context(), []int{leaf})
		if expect(err); err == nil {
			f = unlocked
		}
	}
	for _, g := range f.RowGroups() {
		for _, c := range g.Columns {
			index, err := c.OffsetIndex(source)
			expect(err)
			for _, o := range []Options{{Source: source}, {Source: source, Levels: true, NoDictionaryCodes: true, Offset: index}} {
				r, err := NewReader(c, o)
				if expect(err); err != nil {
					break
				}
				_, err = r.Dictionary()
				expect(err)
				readSome(t, r, expect)
			}
		}
	}
}

// readSome reads and skips up to 100 batches.
func readSome(t testing.TB, r *Reader, expect func(error)) {
	defer r.Close()
	for i := 0; i < 100 && r.Row() < r.total; i++ {
		at := r.Row()
		b, err := r.Read(100)
		var damage *DamageError
		switch {
		case err == nil:
			if b.Rows == 0 || b.Rows > 100 || r.Row() != at+int64(b.Rows) || b.Count != b.NonNull+b.Nulls {
				t.Fatalf("invalid batch %+v", b)
			}
		case errors.As(err, &damage):
			if damage.FirstRow != r.Row() || damage.EndRow < r.Row() || damage.EndRow > r.total {
				t.Fatalf("at row %d, lost %+v", r.Row(), damage)
			}
			expect(r.Skip(damage.EndRow - r.Row()))
		default:
			expect(err)
			return
		}
		if i%3 == 2 {
			expect(r.Skip(min(150, r.total-r.Row())))
		}
	}
}

// FuzzFile reads whole files.
func FuzzFile(f *testing.F) {
	foreignFiles(f, func(path, _ string) {
		if data, err := os.ReadFile(path); err == nil && len(data) < 4096 {
			f.Add(data)
		}
	})
	f.Fuzz(func(t *testing.T, data []byte) {
		before := leaktest.Allocated()
		readEverything(t, data)
		if n := leaktest.Allocated() - before; n > 1<<30 {
			t.Fatalf("allocated %d bytes for a file of %d", n, len(data))
		}
	})
}

// FuzzPages reads a chunk with correct metadata and arbitrary pages.
func FuzzPages(f *testing.F) {
	for _, c := range []*chunktest.Chunk{
		tenPages(),
		{Leaf: chunktest.OptionalText, Rows: 4, Pages: []chunktest.Page{chunktest.Dictionary(2, chunktest.ByteArrays("a", "b")), chunktest.V1(4, fileformat.RLEDictionary, chunktest.Join(chunktest.Prefixed(chunktest.Runs(1, 0, 1, 1)), chunktest.Codes(1, 0, 1)))}},
		{Leaf: chunktest.RepeatedInt, Rows: 2, Values: 3, Pages: []chunktest.Page{chunktest.V1(3, fileformat.Plain, chunktest.Join(chunktest.Prefixed(chunktest.Runs(0, 1, 0)), chunktest.Prefixed(chunktest.Runs(1, 1, 0)), chunktest.Int32s(1, 2)))}},
	} {
		_, file, _ := c.Build()
		f.Add(file[4:], uint8(c.Leaf.Physical), uint8(c.Leaf.MaxDef), uint8(c.Leaf.MaxRep), uint8(c.Codec), uint16(c.Rows))
	}
	f.Fuzz(func(t *testing.T, data []byte, physical, maxDef, maxRep, codec uint8, rows uint16) {
		c := &chunktest.Chunk{
			Leaf:  fileformat.Node{Name: "c", Physical: fileformat.PhysicalType(physical % 8), TypeLength: 5, MaxDef: int(max(maxDef%4, maxRep%3)), MaxRep: int(maxRep % 3)},
			Codec: fileformat.Codec(codec % 9), Rows: int64(rows), Verify: true,
		}
		if c.Leaf.MaxRep > 0 {
			c.Values = 3 * c.Rows
		}
		chunk := c.Metadata(int64(len(data))+4, 1<<40)
		source := bytes.NewReader(append([]byte("PAR1"), data...))
		for _, o := range []Options{{Source: source}, {Source: source, Levels: true, NoDictionaryCodes: true}} {
			r, err := NewReader(chunk, o)
			if err != nil {
				return
			}
			readSome(t, r, func(err error) {
				var corrupt *errs.CorruptError
				if err != nil && !errors.As(err, &corrupt) && !errors.Is(err, errs.ErrUnsupported) && !errors.Is(err, errs.ErrMemoryLimit) && !errors.Is(err, errs.ErrKeyMissing) {
					t.Fatalf("an error of an undocumented kind: %v", err)
				}
			})
		}
	})
}

// TestMutants reads small files of other writers with a few bytes changed, or cut off:
// each read must return rows or an error, in limited memory, and must not hang.
func TestMutants(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	var files [][]byte
	foreignFiles(t, func(path, _ string) {
		if data, err := os.ReadFile(path); err == nil && len(data) < 8192 {
			files = append(files, data)
		}
	})
	if len(files) == 0 {
		t.Skip("no files")
	}
	mutants := 20_000
	if testing.Short() {
		mutants = 2000
	}
	before := leaktest.Allocated()
	for i := range mutants {
		data := bytes.Clone(files[r.IntN(len(files))])
		for range 1 + r.IntN(4) {
			at := r.IntN(len(data)/(1+i%2) + 1) // the footer is long: half of the mutants change only the first half
			at = min(at, len(data)-1)
			switch r.IntN(4) {
			case 0:
				data[at] ^= 1 << r.IntN(8)
			case 1:
				data[at] = byte(r.Uint32())
			case 2:
				data[at] = 0xff
			case 3:
				data = append(data[:at:at], data[min(len(data), at+r.IntN(4)):]...)
			}
			if len(data) == 0 {
				break
			}
		}
		// The watchdog is only for a reader that hangs: it prints the mutant's number.
		watchdog := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("seed %d: mutant %d hangs", seed, i)) })
		readEverything(t, data)
		watchdog.Stop()
		if i%100 == 99 {
			after := leaktest.Allocated()
			if after-before > 1<<30 {
				t.Fatalf("allocated %d bytes for the 100 mutants before %d", after-before, i)
			}
			before = after
		}
	}
}
