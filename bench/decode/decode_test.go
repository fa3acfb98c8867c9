// Package decode measures reading one column of one file, per physical type,
// encoding and codec, with three readers: ours, arrow-go and parquet-go.
package decode

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	goparquet "github.com/parquet-go/parquet-go"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/page"
)

const values = 1 << 20

type spec struct {
	physical parquet.Type
	encoding parquet.Encoding
	codec    compress.Compression
	optional bool
}

func (s spec) String() string {
	name := fmt.Sprintf("%s/%s/%s", s.physical, s.encoding, s.codec)
	if s.optional {
		name += "/optional"
	}
	return strings.ToLower(name)
}

func specs() []spec {
	var out []spec
	e := parquet.Encodings
	for _, of := range []struct {
		physical  parquet.Type
		encodings []parquet.Encoding
	}{
		{parquet.Types.Boolean, []parquet.Encoding{e.Plain, e.RLE}},
		{parquet.Types.Int32, []parquet.Encoding{e.Plain, e.RLEDict, e.DeltaBinaryPacked, e.ByteStreamSplit}},
		{parquet.Types.Int64, []parquet.Encoding{e.Plain, e.RLEDict, e.DeltaBinaryPacked, e.ByteStreamSplit}},
		{parquet.Types.Int96, []parquet.Encoding{e.Plain}}, // the writer has no dictionaries of it
		{parquet.Types.Float, []parquet.Encoding{e.Plain, e.RLEDict, e.ByteStreamSplit}},
		{parquet.Types.Double, []parquet.Encoding{e.Plain, e.RLEDict, e.ByteStreamSplit}},
		{parquet.Types.ByteArray, []parquet.Encoding{e.Plain, e.RLEDict, e.DeltaLengthByteArray, e.DeltaByteArray}},
		{parquet.Types.FixedLenByteArray, []parquet.Encoding{e.Plain, e.RLEDict, e.ByteStreamSplit}},
	} {
		for _, encoding := range of.encodings {
			out = append(out, spec{of.physical, encoding, compress.Codecs.Uncompressed, false})
		}
		out = append(out, spec{of.physical, e.Plain, compress.Codecs.Uncompressed, true})
	}
	for _, codec := range []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Zstd, compress.Codecs.Lz4Raw} {
		out = append(out, spec{parquet.Types.Int64, e.Plain, codec, false}, spec{parquet.Types.ByteArray, e.Plain, codec, false})
	}
	return out
}

// BenchmarkColumn reads a column of a million values. The unit values/s counts the
// decoded values, MB/s their size in memory.
func BenchmarkColumn(b *testing.B) {
	for _, s := range specs() {
		b.Run(s.String(), func(b *testing.B) {
			data, size := write(s, values)
			for _, reader := range readers {
				b.Run(reader.name, func(b *testing.B) {
					runtime.GC() // so that this reader does not sweep what the writer or the reader before left
					b.SetBytes(size)
					for b.Loop() {
						n, _, err := reader.read(data)
						if err != nil || n != values {
							b.Fatalf("read %d values: %v", n, err)
						}
					}
					b.ReportMetric(float64(values)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
				})
			}
		})
	}
}

// readers count the values of a file's first column, NULLs included, and fold them. All
// deliver values and not dictionary codes, and read from memory through io.ReaderAt.
// parquetsql reads as a scan does: fetched bytes are used where they lie
// (page.Viewer). parquetsql-readerat copies them, as the other two have to.
var readers = []struct {
	name string
	read func(data []byte) (n int, sum uint64, err error)
}{
	{"parquetsql", func(data []byte) (int, uint64, error) { return readOurs(data, memory{bytes.NewReader(data), data}) }},
	{"parquetsql-readerat", func(data []byte) (int, uint64, error) { return readOurs(data, bytes.NewReader(data)) }},
	{"arrow-go", readArrow},
	{"parquet-go", readParquetGo},
}

// memory is a file in memory.
type memory struct {
	*bytes.Reader
	data []byte
}

// View implements page.Viewer.
func (m memory) View(offset int64, n int) []byte { return m.data[offset:][:n:n] }

// TestReadersAgree checks that the benchmark compares the same work: the file has the
// encoding of its row, and each reader reads all values.
func TestReadersAgree(t *testing.T) {
	const count = 100_000
	for _, s := range specs() {
		t.Run(s.String(), func(t *testing.T) {
			data, _ := write(s, count)
			_, want, err := readArrow(data)
			if err != nil || want == 0 {
				t.Fatal(want, err)
			}
			for _, reader := range readers {
				n, sum, err := reader.read(data)
				known := misread[s.String()] == reader.name
				if sum != want && !known || err != nil || n != count {
					t.Errorf("%s reads %d values of %d with the sum %d, want %d: %v", reader.name, n, count, sum, want, err)
				}
			}
			checkPages(t, data, s)
		})
	}
}

// misread are the columns that a peer reads wrongly (parquet-go v0.32.0). Their times
// are measured all the same.
var misread = map[string]string{
	"boolean/rle/uncompressed": "parquet-go",
	"int64/plain/lz4_raw":      "parquet-go",
}

// checkPages checks that the writer has used the encoding that it was given.
func checkPages(t *testing.T, data []byte, s spec) {
	f, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Name: "bench"})
	if err != nil {
		t.Fatal(err)
	}
	chunk := f.RowGroups()[0].Columns[0]
	err = page.Each(chunk, bytes.NewReader(data), func(p *page.Page) error {
		if p.Type == fileformat.DictionaryPage || strings.EqualFold(p.Encoding.String(), s.encoding.String()) {
			return nil
		}
		return fmt.Errorf("a page in the encoding %v", p.Encoding)
	})
	if err != nil || !strings.HasPrefix(strings.ToLower(chunk.Meta.Codec.String()), strings.ToLower(s.codec.String())) {
		t.Errorf("codec %v: %v", chunk.Meta.Codec, err)
	}
}

func readOurs(data []byte, source io.ReaderAt) (int, uint64, error) {
	return readOursWith(data, source, nil)
}

// readOursWith reads a file that is encrypted, if keys are given.
func readOursWith(data []byte, source io.ReaderAt, keys fileformat.Keys) (int, uint64, error) {
	f, err := fileformat.Open(source, int64(len(data)), fileformat.Options{Name: "bench", VerifyChecksums: true, Keys: keys})
	if err != nil {
		return 0, 0, err
	}
	if f, err = f.Unlock(context.Background(), []int{0}); err != nil {
		return 0, 0, err
	}
	r, err := column.NewReader(f.RowGroups()[0].Columns[0], column.Options{Source: source, NoDictionaryCodes: true})
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	total, sum, physical := 0, uint64(0), f.RowGroups()[0].Columns[0].Leaf.Physical
	for {
		batch, err := r.Read(2048)
		if err != nil || batch.Rows == 0 {
			return total, sum, err
		}
		total += batch.Rows
		sum += foldOurs(&batch.Values, physical)
	}
}

func readArrow(data []byte) (int, uint64, error) { return readArrowWith(data, nil) }

// readArrowWith reads a file that is encrypted, if keys are given.
func readArrowWith(data []byte, keys *parquet.FileDecryptionProperties) (int, uint64, error) {
	properties := parquet.NewReaderProperties(nil)
	properties.FileDecryptProps = keys
	r, err := file.NewParquetReader(bytes.NewReader(data), file.WithReadProps(properties))
	if err != nil {
		return 0, 0, err
	}
	defer r.Close()
	column, err := r.RowGroup(0).Column(0)
	if err != nil {
		return 0, 0, err
	}
	const batch = 2048
	var levels []int16
	if column.Descriptor().MaxDefinitionLevel() > 0 {
		levels = make([]int16, batch)
	}
	switch c := column.(type) {
	case *file.BooleanColumnChunkReader:
		return drain(c.ReadBatch, foldBools, make([]bool, batch), levels)
	case *file.Int32ColumnChunkReader:
		return drain(c.ReadBatch, foldInts, make([]int32, batch), levels)
	case *file.Int64ColumnChunkReader:
		return drain(c.ReadBatch, foldInts, make([]int64, batch), levels)
	case *file.Int96ColumnChunkReader:
		return drain(c.ReadBatch, fold12Bytes, make([]parquet.Int96, batch), levels)
	case *file.Float32ColumnChunkReader:
		return drain(c.ReadBatch, foldFloats, make([]float32, batch), levels)
	case *file.Float64ColumnChunkReader:
		return drain(c.ReadBatch, foldDoubles, make([]float64, batch), levels)
	case *file.ByteArrayColumnChunkReader:
		return drain(c.ReadBatch, foldBytes, make([]parquet.ByteArray, batch), levels)
	case *file.FixedLenByteArrayColumnChunkReader:
		return drain(c.ReadBatch, foldBytes, make([]parquet.FixedLenByteArray, batch), levels)
	}
	return 0, 0, fmt.Errorf("%T", column)
}

func drain[T any](read func(int64, []T, []int16, []int16) (int64, int, error), fold func([]T) uint64, values []T, levels []int16) (int, uint64, error) {
	total, sum := 0, uint64(0)
	for {
		n, present, err := read(int64(len(values)), values, levels, nil)
		total += int(n)
		sum += fold(values[:present])
		if err != nil || n == 0 {
			return total, sum, err
		}
	}
}

// readParquetGo reads typed values where parquet-go's pages have them, and otherwise
// parquet.Value, as its users do for those types.
func readParquetGo(data []byte) (int, uint64, error) {
	f, err := goparquet.OpenFile(bytes.NewReader(data), int64(len(data)), goparquet.SkipPageIndex(true), goparquet.SkipBloomFilters(true))
	if err != nil {
		return 0, 0, err
	}
	pages := f.RowGroups()[0].ColumnChunks()[0].Pages()
	defer pages.Close()
	total, sum := 0, uint64(0)
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return total, sum, nil
		}
		if err != nil {
			return total, sum, err
		}
		n, more, err := readPage(page.Values())
		goparquet.Release(page)
		total, sum = total+n, sum+more
		if err != nil {
			return total, sum, err
		}
	}
}

func readPage(r goparquet.ValueReader) (int, uint64, error) {
	switch v := r.(type) {
	case goparquet.BooleanReader:
		return fill(v.ReadBooleans, foldBools, make([]bool, 2048))
	case goparquet.Int32Reader:
		return fill(v.ReadInt32s, foldInts, make([]int32, 2048))
	case goparquet.Int64Reader:
		return fill(v.ReadInt64s, foldInts, make([]int64, 2048))
	case goparquet.FloatReader:
		return fill(v.ReadFloats, foldFloats, make([]float32, 2048))
	case goparquet.DoubleReader:
		return fill(v.ReadDoubles, foldDoubles, make([]float64, 2048))
	}
	return fill(r.ReadValues, foldValues, make([]goparquet.Value, 2048))
}

func fill[T any](read func([]T) (int, error), fold func([]T) uint64, into []T) (int, uint64, error) {
	total, sum := 0, uint64(0)
	for {
		n, err := read(into)
		total += n
		sum += fold(into[:n])
		if err == io.EOF {
			return total, sum, nil
		}
		if err != nil || n == 0 {
			return total, sum, err
		}
	}
}

// write writes a file of one column of random values, with data pages of 1 MiB. more is
// properties beside those that s has.
func write(s spec, count int, more ...parquet.WriterProperty) (data []byte, size int64) {
	repetition, length := parquet.Repetitions.Required, -1
	if s.optional {
		repetition = parquet.Repetitions.Optional
	}
	if s.physical == parquet.Types.FixedLenByteArray {
		length = 16
	}
	node, err := schema.NewPrimitiveNode("v", repetition, s.physical, -1, int32(length))
	must(err)
	root, err := schema.NewGroupNode("bench", parquet.Repetitions.Required, schema.FieldList{node}, -1)
	must(err)
	dictionary := s.encoding == parquet.Encodings.RLEDict
	options := []parquet.WriterProperty{parquet.WithCompression(s.codec), parquet.WithDictionaryDefault(dictionary), parquet.WithVersion(parquet.V2_LATEST), parquet.WithStats(false), parquet.WithDictionaryCostFallbackFor("v", false)}
	if !dictionary {
		options = append(options, parquet.WithEncoding(s.encoding))
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(append(options, more...)...)))
	column, err := w.AppendRowGroup().NextColumn()
	must(err)
	size = writeValues(column, s, count, dictionary)
	must(column.Close())
	must(w.Close())
	return out.Bytes(), size
}

func writeValues(w file.ColumnChunkWriter, s spec, n int, few bool) int64 {
	r := rand.New(rand.NewPCG(7, 7))
	var levels []int16
	if s.optional {
		levels, n = make([]int16, n), 0
		for i := range levels {
			if r.IntN(10) > 0 {
				levels[i] = 1
				n++
			}
		}
	}
	// Values of a limited range, as in most real columns; few different ones for a dictionary.
	next := func() int64 {
		if few {
			return r.Int64N(1000) * 7919
		}
		return r.Int64N(1 << 24)
	}
	var err error
	width := int64(8)
	switch w := w.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() bool { return next()&1 == 0 }), levels, nil)
		width = 1
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() int32 { return int32(next()) }), levels, nil)
		width = 4
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, next), levels, nil)
	case *file.Int96ColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() parquet.Int96 { return parquet.Int96{0: byte(next()), 9: 0x80, 10: 0x25} }), levels, nil)
		width = 12
	case *file.Float32ColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() float32 { return float32(next()) / 100 }), levels, nil)
		width = 4
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() float64 { return float64(next()) / 100 }), levels, nil)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() parquet.ByteArray { return fmt.Appendf(nil, "value %d", next()) }), levels, nil)
		width = 14
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(generate(n, func() parquet.FixedLenByteArray { return fmt.Appendf(nil, "%016d", next()) }), levels, nil)
		width = 16
	}
	must(err)
	return width * int64(n)
}

func generate[T any](n int, next func() T) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = next()
	}
	return out
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
