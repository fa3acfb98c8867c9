package nested

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxBSONDepth bounds documents within documents. MongoDB allows 100. Without a
// bound the renderer, which is recursive, could overflow the stack, which cannot
// be recovered.
const maxBSONDepth = 200

// AppendBSON appends a BSON document as relaxed extended JSON.
func AppendBSON(dst []byte, doc string) ([]byte, error) {
	if err := checkBSON(doc); err != nil {
		return dst, err
	}
	text, err := bson.MarshalExtJSON(bson.Raw(doc), false, false)
	if err != nil {
		return dst, fmt.Errorf("BSON: %w", err)
	}
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\uFFFD"))
	}
	return append(dst, bytes.TrimRight(text, "\n")...), nil
}

var errBSON = errors.New("BSON: a document that is not well-formed")

// checkBSON checks a document against the grammar of bsonspec.org, version 1.1.
// It keeps the ends of the open documents in a slice instead of recursing, so
// that deep documents cannot overflow the stack.
func checkBSON(doc string) error {
	w := bsonWalker{doc: doc}
	if !w.enter() || w.ends[0] != len(doc) {
		return errBSON
	}
	for len(w.ends) > 0 {
		if len(w.ends) > maxBSONDepth {
			return fmt.Errorf("BSON: documents more than %d levels deep", maxBSONDepth)
		}
		if !w.element() {
			return errBSON
		}
	}
	return nil
}

type bsonWalker struct {
	doc  string
	at   int
	ends []int // where the open documents end, the innermost last
}

// element moves past one element, or past the end of a document.
func (w *bsonWalker) element() bool {
	end := w.ends[len(w.ends)-1]
	if w.at >= end {
		return false
	}
	kind := w.doc[w.at]
	w.at++
	if kind == 0 {
		w.ends = w.ends[:len(w.ends)-1]
		return w.at == end
	}
	if !w.cstring() {
		return false
	}
	switch kind {
	case 0x06, 0x0a, 0xff, 0x7f: // undefined, null, min key, max key
		return true
	case 0x08: // boolean
		return w.skip(1) && w.doc[w.at-1] <= 1
	case 0x10: // int32
		return w.skip(4)
	case 0x01, 0x09, 0x11, 0x12: // double, date, timestamp, int64
		return w.skip(8)
	case 0x07: // object id
		return w.skip(12)
	case 0x13: // decimal128
		return w.skip(16)
	case 0x02, 0x0d, 0x0e: // string, code, symbol
		return w.text()
	case 0x0b: // regular expression
		pattern := w.cstring()
		return pattern && w.cstring() // and the options
	case 0x0c: // DBPointer
		return w.text() && w.skip(12)
	case 0x03, 0x04: // document, array
		return w.enter()
	case 0x05:
		return w.binary()
	case 0x0f: // code with scope
		start := w.at
		size, ok := w.length()
		return ok && w.text() && w.enter() && w.ends[len(w.ends)-1] == start+size
	}
	return false
}

// limit is where the innermost document ends.
func (w *bsonWalker) limit() int {
	if len(w.ends) == 0 {
		return len(w.doc)
	}
	return w.ends[len(w.ends)-1]
}

func (w *bsonWalker) skip(n int) bool {
	if n < 0 || n > w.limit()-w.at {
		return false
	}
	w.at += n
	return true
}

// length reads an int32.
func (w *bsonWalker) length() (int, bool) {
	if !w.skip(4) {
		return 0, false
	}
	s := w.doc[w.at-4 : w.at]
	return int(int32(uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24)), true
}

// enter begins a document, whose length includes itself and the final zero.
func (w *bsonWalker) enter() bool {
	start := w.at
	size, ok := w.length()
	if !ok || size < 5 || size > w.limit()-start {
		return false
	}
	w.ends = append(w.ends, start+size)
	return true
}

// text moves past a string, whose length includes its final zero.
func (w *bsonWalker) text() bool {
	n, ok := w.length()
	return ok && n > 0 && w.skip(n) && w.doc[w.at-1] == 0
}

func (w *bsonWalker) cstring() bool {
	for limit := w.limit(); w.at < limit; {
		w.at++
		if w.doc[w.at-1] == 0 {
			return true
		}
	}
	return false
}

func (w *bsonWalker) binary() bool {
	n, ok := w.length()
	if !ok || !w.skip(1) {
		return false
	}
	if subtype := w.doc[w.at-1]; subtype == 2 { // the old binary subtype has its length twice
		inner, ok := w.length()
		return ok && inner == n-4 && w.skip(inner)
	}
	return w.skip(n)
}
