package order

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TestStringTerms: the bytes of two texts compare as the texts do, or the other way round,
// also where one is the beginning of the other and where they have zero bytes; what follows
// a term does not matter.
func TestStringTerms(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	text := func() string {
		b := make([]byte, r.IntN(20))
		for i := range b {
			b[i] = []byte{0, 0, 1, 'a', 0x7f, 0x80, 0xfe, 0xff}[r.IntN(8)]
		}
		return string(b)
	}
	term := func(s string, flip byte) []byte {
		data := make([]byte, len(s)+strings.Count(s, "\x00")+2)
		if end, err := (&keyEncoder{}).writeString(data, 0, s, flip, false); end != len(data) || err != nil {
			t.Fatalf("%q takes %d bytes, not %d, %v", s, end, len(data), err)
		}
		return append(data, byte(r.Uint32()))
	}
	for range 100_000 {
		a, b := text(), text()
		if r.IntN(2) == 0 {
			b = a + text()
		}
		if a == b {
			continue
		}
		if got := bytes.Compare(term(a, 0), term(b, 0)); got != strings.Compare(a, b) {
			t.Fatalf("%q and %q compare as %d", a, b, got)
		}
		if got := bytes.Compare(term(a, 0xff), term(b, 0xff)); got != -strings.Compare(a, b) {
			t.Fatalf("%q and %q compare as %d, descending", a, b, got)
		}
	}
}

// ending is a context that is cancelled when it is looked at for the last time.
type ending struct {
	context.Context
	left int
}

func (e *ending) Err() error {
	if e.left--; e.left <= 0 {
		return context.Canceled
	}
	return nil
}

// TestLongTerms: a long text is written in pieces, with a look at the context for each, and
// is the same as at once.
func TestLongTerms(t *testing.T) {
	const pieces = 5
	long := strings.Repeat("x", 2*quota.CopiedPerLook-1) + "\x00" + strings.Repeat("y", (pieces-2)*quota.CopiedPerLook)
	for _, c := range []struct {
		flip   byte
		ending bool
		end    string
	}{{0, true, long}, {0, false, strings.Replace(long, "\x00", "\x00\xff", 1) + "\x00\x00"}} {
		data := make([]byte, len(c.end))
		e := &keyEncoder{meter: quota.NewMeter(&ending{t.Context(), 1 << 20}, nil)}
		if end, err := e.writeString(data, 0, long, c.flip, c.ending); end != len(data) || err != nil || string(data) != c.end {
			t.Errorf("%+v: other bytes, %d of %d, %v", c.ending, end, len(data), err)
		}
		e.meter = quota.NewMeter(&ending{t.Context(), pieces - 1}, nil)
		if _, err := e.writeString(data, 0, long, c.flip, c.ending); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: it ends with %v, want the error of the context", c.ending, err)
		}
	}
}

// TestFixedTerms: each byte of a key is written, whatever was there.
func TestFixedTerms(t *testing.T) {
	v := vector.New(vector.Of(vector.Boolean), 0)
	if err := v.FromScalars(v.Type, []vector.Scalar{vector.BoolScalar(false), vector.NullOf(v.Type), vector.BoolScalar(true)}); err != nil {
		t.Fatal(err)
	}
	enc, err := newKeyEncoder(exec.Env{}, []expr.SortKey{{Expr: expr.NewColumn(0, "x", v.Type)}})
	if err != nil {
		t.Fatal(err)
	}
	k := keyBuf{data: bytes.Repeat([]byte{0xee}, 100)[:0]}
	if err := enc.encode([]*vector.Vector{v}, &vector.Batch{Len: 3, Cols: []*vector.Vector{v}}, &k); err != nil {
		t.Fatal(err)
	}
	if want := []byte{markValue, 0, markLast, 0, markValue, 1}; !bytes.Equal(k.data, want) {
		t.Errorf("keys % x, want % x", k.data, want)
	}
}
