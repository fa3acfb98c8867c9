package text

import (
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// TestDividedTexts: of a text that is worked on in parts, the result is that of the whole.
// The characters are ones that are put together with each other in many ways.
func TestDividedTexts(t *testing.T) {
	characters := []string{"a", "é", "e", "\u0301", "\u0323", "ᄒ", "ᅡ", "ᆫ", "한", "하", "\u093e", "\u09c7", "\u09be", "ß", "\xff", " ", "𝅗", "𝅥", "\u0344", "が", "か", "\u3099"}
	r := rand.New(rand.NewPCG(1, 2))
	divided := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(30) {
			b.WriteString(characters[r.IntN(len(characters))])
		}
		s := b.String()
		at := beforeLetter(s, r.IntN(len(s)+1))
		if 0 < at && at < len(s) {
			divided++
		}
		if got, want := appendStripped(appendStripped(nil, s[:at]), s[at:]), appendStripped(nil, s); string(got) != string(want) {
			t.Errorf("STRIP_ACCENTS(%+q) is %+q in parts at %d, want %+q", s, got, at, want)
		}
		if got, want := norm.NFC.String(s[:at])+norm.NFC.String(s[at:]), norm.NFC.String(s); got != want {
			t.Errorf("NFC_NORMALIZE(%+q) is %+q in parts at %d, want %+q", s, got, at, want)
		}
	}
	if divided < 10_000 {
		t.Errorf("only %d texts were divided", divided)
	}
}

// TestTrimmedParts: trimming a long text stops where a short one's would.
func TestTrimmedParts(t *testing.T) {
	const cut = "é ,"
	for _, n := range []int{0, 1, quota.BytesPerLook/4 - 1, quota.BytesPerLook / 4, quota.BytesPerLook/4 + 1, quota.BytesPerLook} {
		ends := strings.Repeat("é ,", n)
		for _, middle := range []string{"", "x", "xé yé"} {
			for _, trim := range []struct {
				long  func(*quota.Meter, string, string) (string, error)
				short func(string, string) string
			}{{trimLeft, strings.TrimLeft}, {trimRight, strings.TrimRight}} {
				s := ends + middle + ends
				if got, err := trim.long(nil, s, cut); err != nil || got != trim.short(s, cut) {
					t.Errorf("%d times at the ends of %q: %d bytes, want %d, %v", n, middle, len(got), len(trim.short(s, cut)), err)
				}
			}
		}
	}
}
