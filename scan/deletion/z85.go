package deletion

import "fmt"

// z85Digits are the digits of base 85, by value (rfc.zeromq.org/spec/32).
const z85Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// z85Values has the value of each digit plus one; 0 is for bytes that are no digit.
var z85Values = func() (out [256]uint8) {
	for i := range len(z85Digits) {
		out[z85Digits[i]] = uint8(i + 1)
	}
	return out
}()

// DecodeZ85 decodes a text of Z85: five digits for four bytes, the first of them the most significant.
func DecodeZ85(text string) ([]byte, error) {
	if len(text)%5 != 0 {
		return nil, fmt.Errorf("a Z85 text of %d characters: it must be a multiple of 5", len(text))
	}
	out := make([]byte, 0, len(text)/5*4)
	for i := 0; i < len(text); i += 5 {
		var v uint64
		for _, c := range []byte(text[i : i+5]) {
			d := z85Values[c]
			if d == 0 {
				return nil, fmt.Errorf("a Z85 text has the character %q", c)
			}
			v = v*85 + uint64(d-1)
		}
		if v > 1<<32-1 {
			return nil, fmt.Errorf("the Z85 digits %q are more than 32 bits", text[i:i+5])
		}
		out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return out, nil
}
