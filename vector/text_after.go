package vector

// TextAfter is the least text of bytes above all that begin with s; false if there is none, as all
// bytes of s are 0xFF.
func TextAfter(s string) (string, bool) {
	b := []byte(s)
	for len(b) > 0 && b[len(b)-1] == 0xff {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return "", false
	}
	b[len(b)-1]++
	return string(b), true
}
