package substring

import (
	"strings"
	"testing"
)

// FuzzIndex searches a text in another one, and in one behind it that has taught the Finder
// which bytes are rare, and compares with package strings.
func FuzzIndex(f *testing.F) {
	f.Add("in 9", "queue drained again in 9123 us", byte(Exact))
	f.Add("number 77", strings.Repeat("NUMBER 7 ", 20)+"number 77", byte(Lower))
	f.Add("ZB", strings.Repeat("zZ\xff", 9)+"zb", byte(Upper))
	f.Fuzz(func(t *testing.T, text, s string, fold byte) {
		by := Fold(fold % 3)
		if by != Exact && len(text) > maxText {
			return
		}
		finder := New(text, by)
		for _, s := range []string{s, strings.Repeat(s, 1+3*sampleBytes/(1+len(s))), s + text, s[len(s)/2:]} {
			if got, want := finder.Index(s), strings.Index(foldedASCII(by, s), text); got != want {
				t.Errorf("%q in %q, fold %d: at %d, want %d", text, s, by, got, want)
			}
		}
	})
}
