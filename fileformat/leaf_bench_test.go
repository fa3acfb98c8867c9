package fileformat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"
)

// benchChunk has a million rows in pages of 20,000.
func benchChunk(leaf Node, codec Codec, coded bool) *testChunk {
	r := rand.New(rand.NewPCG(1, 1))
	c := &testChunk{leaf: leaf, codec: codec, rows: 1_000_000}
	if coded {
		var entries []byte
		for i := range 250 {
			entries = append(entries, byteArrays(fmt.Sprintf("entry %d", i))...)
		}
		c.pages = append(c.pages, dictPage(250, entries))
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
			case leaf.Physical == ByteArray:
				body = append(body, byteArrays(fmt.Sprintf("value %d", r.IntN(1000)))...)
			default:
				body = binary.LittleEndian.AppendUint64(body, uint64(r.Int64N(1<<40)))
			}
		}
		e := Plain
		if coded {
			for len(codes)%8 != 4 {
				codes = append(codes, 0)
			}
			header := (len(codes)-4)/8<<1 | 1
			codes[1], codes[2], codes[3] = byte(header|0x80), byte(header>>7|0x80), byte(header>>14)
			e, body = RLEDictionary, codes
		}
		if leaf.MaxDef > 0 {
			body = join(prefixed(runs(def...)), body)
		}
		p := v1(n, e, body)
		if codec == Snappy {
			p.UncompressedSize, p.body = int32(len(body)), snappy.Encode(nil, body)
		}
		c.pages = append(c.pages, p)
	}
	return c
}

func BenchmarkLeafReader(b *testing.B) {
	int64s := Node{Name: "c", Physical: Int64}
	optional := Node{Name: "c", Physical: Int64, Repetition: Optional, MaxDef: 1}
	for _, bench := range []struct {
		name string
		c    *testChunk
		o    ReadOptions
	}{
		{"int64 required", benchChunk(int64s, Uncompressed, false), ReadOptions{}},
		{"int64 required snappy", benchChunk(int64s, Snappy, false), ReadOptions{}},
		{"int64 optional", benchChunk(optional, Uncompressed, false), ReadOptions{}},
		{"int64 optional levels", benchChunk(optional, Uncompressed, false), ReadOptions{Levels: true}},
		{"text required", benchChunk(requiredText, Uncompressed, false), ReadOptions{}},
		{"text required snappy", benchChunk(requiredText, Snappy, false), ReadOptions{}},
		{"text coded", benchChunk(optionalText, Uncompressed, true), ReadOptions{}},
		{"text materialised", benchChunk(optionalText, Uncompressed, true), ReadOptions{NoDictionaryCodes: true}},
	} {
		chunk, file, _ := bench.c.build()
		bench.o.Source = bytes.NewReader(file)
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(file)))
			for b.Loop() {
				r, err := chunk.NewReader(bench.o)
				if err != nil {
					b.Fatal(err)
				}
				for r.Row() < r.total {
					if _, err := r.Read(2048); err != nil {
						b.Fatal(err)
					}
				}
				r.Close()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(bench.c.rows), "ns/row")
		})
	}
}
