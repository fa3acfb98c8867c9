package codec

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/golang/snappy"
	"github.com/klauspost/compress/s2"
)

// snappyPages are pages of 1 MB as files have them, PLAIN.
func snappyPages() map[string][]byte {
	r := rand.New(rand.NewPCG(7, 7))
	const n = 131_072
	numbers := func(next func(i int) int64) (page []byte) {
		for i := range n {
			page = binary.LittleEndian.AppendUint64(page, uint64(next(i)))
		}
		return page
	}
	key := int64(0)
	var texts []byte
	words := bytes.Fields([]byte("the of quickly final deposits carefully requests sleep accounts blithely about furiously ironic packages bold along express pending foxes even theodolites"))
	for len(texts) < 8*n {
		var text []byte
		for range 2 + r.IntN(8) {
			text = append(append(text, words[r.IntN(len(words))]...), ' ')
		}
		texts = append(binary.LittleEndian.AppendUint32(texts, uint32(len(text))), text...)
	}
	return map[string][]byte{
		"keys":   numbers(func(int) int64 { key += 1 + r.Int64N(4); return key }),
		"prices": numbers(func(int) int64 { return 90_000 + r.Int64N(10_000_000) }),
		"hashes": numbers(func(int) int64 { return int64(r.Uint64()) }),
		"texts":  texts,
	}
}

// BenchmarkSnappy has our decoder, its twin in Go, and those of others on the same blocks.
func BenchmarkSnappy(b *testing.B) {
	for name, page := range snappyPages() {
		block, dst := snappy.Encode(nil, page), make([]byte, len(page))
		for _, d := range []struct {
			name   string
			decode func() ([]byte, error)
		}{
			{"ours", func() ([]byte, error) { return decompressSnappy(dst, block, len(page), &looks{}) }},
			{"twin", func() ([]byte, error) { return decodeTwin(dst, block) }},
			{"golang", func() ([]byte, error) { return snappy.Decode(dst, block) }},
			{"s2", func() ([]byte, error) { return s2.Decode(dst, block) }},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, d.name), func(b *testing.B) {
				b.SetBytes(int64(len(page)))
				for b.Loop() {
					if got, err := d.decode(); err != nil || len(got) != len(page) {
						b.Fatal(name, err)
					}
				}
			})
		}
	}
}
