package vector

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestFloatJSON(t *testing.T) {
	for _, c := range []struct {
		f    float64
		bits int
		want string
	}{
		{math.NaN(), 64, `"NaN"`}, {math.Inf(1), 32, `"Infinity"`}, {math.Inf(-1), 64, `"-Infinity"`},
		{0, 64, "0"}, {math.Copysign(0, -1), 64, "-0"}, {100, 64, "100"}, {1e20, 64, "100000000000000000000"},
		{1e21, 64, "1e+21"}, {0.000001, 64, "0.000001"}, {1.5e-7, 64, "1.5e-07"}, {float64(float32(0.1)), 32, "0.1"},
		{math.MaxFloat64, 64, "1.7976931348623157e+308"}, {math.SmallestNonzeroFloat64, 64, "5e-324"},
		{math.MaxFloat32, 32, "3.4028235e+38"},
	} {
		got := string(AppendFloatJSON(nil, c.f, c.bits))
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.f, got, c.want)
		}
		var back float64
		if c.want[0] != '"' && (json.Unmarshal([]byte(got), &back) != nil || c.bits == 64 && back != c.f) {
			t.Errorf("%s reads as %v", got, back)
		}
	}
}

// TestShortFloats compares the short way of doubles with strconv's: multiples of powers
// of 10, their neighbours, and numbers of random bits.
func TestShortFloats(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	short := 0
	for range 200_000 {
		f := float64(r.Int64()>>r.IntN(63)) / math.Pow10(r.IntN(8))
		switch r.IntN(4) {
		case 0:
			f = math.Nextafter(f, math.Inf(r.IntN(2)*2-1))
		case 1:
			f = math.Float64frombits(r.Uint64())
		case 2:
			f = -f
		}
		text, ok := appendShort([]byte("x"), f)
		if !ok {
			continue
		}
		short++
		if want := strconv.FormatFloat(f, 'f', -1, 64); string(text) != "x"+want {
			t.Fatalf("seed %d: %s, want %s", seed, text, want)
		}
	}
	if short < 20_000 {
		t.Errorf("seed %d: only %d short ones", seed, short)
	}
}

func TestQuoted(t *testing.T) {
	for r := range rune(0x3000) {
		s := "a" + string(r) + "b" + string(r)
		var back string
		if err := json.Unmarshal(AppendQuoted(nil, s), &back); err != nil || back != s {
			t.Fatalf("%U: %v, %q", r, err, back)
		}
	}
	for _, s := range []string{"", "\xff", "a\xc3", "\xed\xa0\x80x", "\xf4\x90\x80\x80", "ok\xc0\xaf", "\x00\x1f\x7f", "😀\"\\"} {
		text := AppendQuoted(nil, s)
		var back string
		// encoding/json replaces bytes that are not UTF-8 by the same rule.
		if err := json.Unmarshal(text, &back); err != nil || !utf8.Valid(text) {
			t.Errorf("%q: %s, %v", s, text, err)
		}
		var want strings.Builder
		for _, r := range s {
			want.WriteRune(r)
		}
		if back != want.String() {
			t.Errorf("%q: %q, want %q", s, back, want.String())
		}
	}
}

// TestQuotedMixed: texts with many characters that need an escape, behind what is there, into memory of all sizes.
func TestQuotedMixed(t *testing.T) {
	letters := []rune("abcdefgh\"\"\\\n\x01é日😀")
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		s := make([]rune, random.IntN(60))
		for i := range s {
			s[i] = letters[random.IntN(len(letters))]
		}
		dst := append(make([]byte, 0, random.IntN(90)), "before"...)
		var back string
		if out := AppendQuoted(dst, string(s)); string(out[:6]) != "before" || json.Unmarshal(out[6:], &back) != nil || back != string(s) {
			t.Fatalf("%q: %s", string(s), out)
		}
	}
}

// TestPlainText: each byte at each place of strings of all lengths up to 20.
func TestPlainText(t *testing.T) {
	for length := range 21 {
		for at := range length {
			for c := range 256 {
				b := []byte(strings.Repeat("a", length))
				b[at] = byte(c)
				plain := c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf
				if n := PlainText(string(b)); plain && n != length || !plain && (n > at || n < at-7) {
					t.Fatalf("%q: %d", b, n)
				}
				if n := ASCII(string(b)); c >= utf8.RuneSelf && n > at || n > length || c < utf8.RuneSelf && n < length-7 {
					t.Fatalf("%q: %d of ASCII", b, n)
				}
			}
		}
	}
}
