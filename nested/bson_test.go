package nested

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
)

// TestBSON has documents of bsonspec.org's page of examples and of the
// conversion table of the MongoDB Extended JSON specification.
func TestBSON(t *testing.T) {
	for _, c := range []struct{ hex, want string }{
		{"160000000268656c6c6f0006000000776f726c640000", `{"hello":"world"}`},
		{"310000000442534f4e002600000002300008000000617765736f6d65000131003333333333331440103200c20700000000", `{"BSON":["awesome",5.05,1986]}`},
		{"1400000007610056e1fc72e0c917e9c471416100", `{"a":{"$oid":"56e1fc72e0c917e9c4714161"}}`},
		{"10000000096100c5d8d6cc3b01000000", `{"a":{"$date":"2012-12-24T12:15:30.501Z"}}`},
		{"10000000016400000000000000f87f00", `{"d":{"$numberDouble":"NaN"}}`},
		{"0d000000057800000000000000", `{"x":{"$binary":{"base64":"","subType":"00"}}}`},
		{"180000001364000100000000000000000000000000403000", `{"d":{"$numberDecimal":"1"}}`},
		{"080000000a610000", `{"a":null}`},
		{"05000000ff", ""}, {"0500000000ff", ""}, {"", ""}, {"04000000", ""},
		{"0c00000010610001000000", ""},           // ends within an integer
		{"0e00000002610001000000ff00", ""},       // a string without its final zero
		{"0e00000002610000000000000000", ""},     // a string of length 0
		{"10000000026100ffffffff0000000000", ""}, // a string of negative length
		{"0d00000003610006000000000000", ""},     // a document that ends after the one around it
		{"0900000008610002", ""}, {"08000000fe610000", ""},
	} {
		doc, err := hex.DecodeString(c.hex)
		if err != nil {
			t.Fatal(c.hex, err)
		}
		got, err := AppendBSON(nil, string(doc))
		if string(got) != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %s, %v, want %s", c.hex, got, err, c.want)
		}
	}
}

// TestBSONDepth: a page full of documents within documents must not overflow the
// stack.
func TestBSONDepth(t *testing.T) {
	// Around each document come a length, a type, a name of two bytes and a zero.
	nest := func(depth int) string {
		var b []byte
		for i := range depth {
			b = binary.LittleEndian.AppendUint32(b, uint32(5+8*(depth-i)))
			b = append(b, 3, 'a', 0)
		}
		b = binary.LittleEndian.AppendUint32(b, 5)
		return string(append(b, make([]byte, depth+1)...))
	}
	for depth, ok := range map[int]bool{1: true, 100: true, 199: true, 201: false, 1 << 18: false} {
		text, err := AppendBSON(nil, nest(depth))
		if (err == nil) != ok || ok && strings.Count(string(text), "{") != depth+1 {
			t.Errorf("%d deep: %v", depth, err)
		}
	}
}
