package codec

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
)

var (
	errBrotliWord       = errors.New("brotli: reference to a word that is not in the static dictionary")
	errBrotliDictionary = errors.New("brotli: no static dictionary")
)

// brotliWordBits has for each length how many bits the number of such a word has
// (appendix A). No words are shorter than 4 bytes.
var brotliWordBits = [25]uint{4: 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5}

// brotliWordStart has for each length where the first such word is (section 8), and
// then the length of the dictionary.
var brotliWordStart = func() (starts [26]int) {
	for n := 4; n < 25; n++ {
		starts[n+1] = starts[n] + n<<brotliWordBits[n]
	}
	return starts
}()

// word appends the word of this length that a distance stands for, transformed.
func (d *brotliDecoder) word(length, id, end int) error {
	if length < 4 || length >= len(brotliWordBits) {
		return errBrotliWord
	}
	width := brotliWordBits[length]
	transform := id >> width
	if transform >= len(brotliTransforms) {
		return errBrotliWord
	}
	words := brotliWords()
	if words == nil {
		return errBrotliDictionary
	}
	word := words[brotliWordStart[length]+id&(1<<width-1)*length:][:length]
	var buffer [brotliLongest]byte
	content := brotliTransforms[transform].appendTo(buffer[:0], word)
	if len(content) > end-d.out {
		return errBrotliEnd
	}
	if err := d.room(len(content)); err != nil {
		return err
	}
	d.out += copy(d.dst[d.out:], content)
	return nil
}

// brotliWords is the static dictionary: 122,784 bytes that each decoder has to have.
// They are not here a second time but taken out of the decoder of a library that has
// them, with a stream that refers to each word once.
var brotliWords = sync.OnceValue(func() []byte {
	words := make([]byte, wordsWindow+brotliWordStart[25])
	if _, err := io.ReadFull(brotli.NewReader(bytes.NewReader(wordsStream())), words); err != nil {
		return nil
	}
	return words[wordsWindow:]
})

// wordsWindow is as far as a copy reaches in wordsStream. Distances beyond that are
// words: with the two symbols for distances of 3069 to 4092 and of 4093 to 6140 the
// 2,048 there are of a length, at most, can be told.
const wordsWindow = 1<<12 - 16

// wordsStream is the stream with a meta-block of zeros that fills the window and
// then one for each length, whose commands have no literals and one word.
func wordsStream() []byte {
	var w bitWriter
	w.put(0b1000001, 7) // a window of 12 bits
	w.put(0, 3)         // not the last one, its length has 4 nibbles
	w.put(wordsWindow-1, 16)
	w.put(1, 1) // not compressed
	w.align()
	w.bytes = append(w.bytes, make([]byte, wordsWindow)...)
	for length := uint(4); length <= 24; length++ {
		count := uint(1) << brotliWordBits[length]
		w.put(0, 3)
		w.put(length*count-1, 16)
		w.put(0, 1) // compressed
		// One type in each category, no postfix, no direct distances, any mode of
		// context, one code for all literals and one for all distances.
		w.put(0, 3+2+4+2+2)
		// The codes of 1, 1 and 2 symbols. A literal does not occur.
		w.put(1|0<<2, 2+2+8)
		command, extra, extraBits := wordCommand(length)
		w.put(1|0<<2|command<<4, 2+2+10)
		w.put(1|1<<2|35<<4|36<<10, 2+2+6+6)
		for i := range count {
			w.put(extra, extraBits)
			if distance := wordsWindow + 1 + i; distance < 4093 {
				w.put(0|(distance-3069)<<1, 1+10)
			} else {
				w.put(1|(distance-4093)<<1, 1+11)
			}
		}
	}
	w.put(0b11, 2) // the last one, empty
	w.align()
	return w.bytes
}

// wordCommand is the symbol of the command without literals that copies so many
// bytes, and the bits behind it.
func wordCommand(length uint) (symbol, extra, bits uint) {
	for s := uint(128); ; s++ {
		base, n := uint(brotliCommands[s]>>brotliCopy), uint(brotliCommands[s]>>brotliCopyExtra&31)
		if brotliCommands[s]>>brotliInsert&0xFFFF == 0 && base <= length && length < base+1<<n {
			return s, length - base, n
		}
	}
}

// bitWriter puts bits into bytes from the lower end on.
type bitWriter struct {
	bytes []byte
	bits  uint64
	count uint
}

func (w *bitWriter) put(v, n uint) {
	w.bits |= uint64(v) << w.count
	for w.count += n; w.count >= 8; w.count -= 8 {
		w.bytes = append(w.bytes, byte(w.bits))
		w.bits >>= 8
	}
}

// align fills the last byte up.
func (w *bitWriter) align() { w.put(0, -w.count%8) }
