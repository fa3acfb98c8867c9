package chunktest_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
)

// benchChunk has a million rows in pages of 20,000.
func benchChunk(leaf fileformat.Node, codec fileformat.Codec, coded bool) *chunktest.Chunk {
	r := rand.New(rand.NewPCG(1, 1))
	c := &chunktest.Chunk{Leaf: leaf, Codec: codec, Rows: 1_000_000}
	if coded {
		var entries []byte
		for i := range 250 {
			entries = append(entries, chunktest.ByteArrays(fmt.Sprintf("entry %d", i))...)
		}
		c.Pages = append(c.Pages, chunktest.Dictionary(250, entries))
	}
	for range 50 {
		const n = 20_000
		var def []uint8
		var body []byte
		codes := []byte{8, 0, 0, 0} // width, then the header of a bit-packed run
		for range n {
			present := leaf.MaxDef == 0 || r.IntN(10) > 0
			if leaf.MaxDef > 0 {
				def = append(def, map[bool]uint8{true: 1}[present])
			}
			switch {
			case !present:
			case coded:
				codes = append(codes, byte(r.IntN(250)))
			case leaf.Physical == fileformat.ByteArray:
				body = append(body, chunktest.ByteArrays(fmt.Sprintf("value %d", r.IntN(1000)))...)
			default:
				body = binary.LittleEndian.AppendUint64(body, uint64(r.Int64N(1<<40)))
			}
		}
		e := fileformat.Plain
		if coded {
			for len(codes)%8 != 4 {
				codes = append(codes, 0)
			}
			header := (len(codes)-4)/8<<1 | 1
			codes[1], codes[2], codes[3] = byte(header|0x80), byte(header>>7|0x80), byte(header>>14)
			e, body = fileformat.RLEDictionary, codes
		}
		if leaf.MaxDef > 0 {
			body = chunktest.Join(chunktest.Prefixed(chunktest.Runs(def...)), body)
		}
		p := chunktest.V1(n, e, body)
		if codec == fileformat.Snappy {
			p.UncompressedSize, p.Body = int32(len(body)), snappy.Encode(nil, body)
		}
		c.Pages = append(c.Pages, p)
	}
	return c
}

func BenchmarkLeafReader(b *testing.B) {
	int64s := fileformat.Node{Name: "c", Physical: fileformat.Int64}
	optional := fileformat.Node{Name: "c", Physical: fileformat.Int64, Repetition: fileformat.Optional, MaxDef: 1}
	for _, bench := range []struct {
		name string
		c    *chunktest.Chunk
		o    column.Options
	}{
		{"int64 required", benchChunk(int64s, fileformat.Uncompressed, false), column.Options{}},
		{"int64 required snappy", benchChunk(int64s, fileformat.Snappy, false), column.Options{}},
		{"int64 optional", benchChunk(optional, fileformat.Uncompressed, false), column.Options{}},
		{"int64 optional levels", benchChunk(optional, fileformat.Uncompressed, false), column.Options{Levels: true}},
		{"text required", benchChunk(chunktest.RequiredText, fileformat.Uncompressed, false), column.Options{}},
		{"text required snappy", benchChunk(chunktest.RequiredText, fileformat.Snappy, false), column.Options{}},
		{"text coded", benchChunk(chunktest.OptionalText, fileformat.Uncompressed, true), column.Options{}},
		{"text materialised", benchChunk(chunktest.OptionalText, fileformat.Uncompressed, true), column.Options{NoDictionaryCodes: true}},
	} {
		chunk, file, _ := bench.c.Build()
		bench.o.Source = bytes.NewReader(file)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				r, err := column.NewReader(chunk, bench.o)
				if err != nil {
					b.Fatal(err)
				}
				for r.Row() < bench.c.Rows {
					if _, err := r.Read(2048); err != nil {
						b.Fatal(err)
					}
				}
				r.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(bench.c.Rows), "ns/row")
		})
	}
}
