package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"
)

func of(t *testing.T, columns []Axis, rows ...[]float64) *Chart {
	t.Helper()
	c, err := New(columns)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		if err := c.Add(string(rune('a'+i%26)), row[0], row[1:]); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestKinds(t *testing.T) {
	for _, test := range []struct {
		columns []Axis
		want    Kind
	}{
		{[]Axis{{"n", Number}}, Histogram},
		{[]Axis{{"s", Name}, {"n", Number}}, Bars},
		{[]Axis{{"t", Time}, {"n", Number}, {"m", Number}}, Lines},
		{[]Axis{{"x", Number}, {"n", Number}}, Lines},
	} {
		if c, err := New(test.columns); err != nil || c.Kind != test.want {
			t.Errorf("%v: %v, %v", test.columns, c, err)
		}
	}
	for _, columns := range [][]Axis{nil, {{"s", Name}}, {{"t", Time}}, {{"s", Name}, {"u", Name}}, {{"n", Number}, {"n", Number}, {"s", Name}}} {
		if _, err := New(columns); err == nil || !strings.Contains(err.Error(), "numbers") {
			t.Errorf("%v: %v", columns, err)
		}
	}
}

func TestBars(t *testing.T) {
	c := of(t, []Axis{{"word", Name}, {"n", Number}}, []float64{0, -4}, []float64{0, 0}, []float64{0, 8}, []float64{0, math.NaN()})
	var b bytes.Buffer
	if err := c.WriteText(&b, 29, false); err != nil {
		t.Fatal(err)
	}
	want := `word, n
a ███████                -4
b                         0
c        ██████████████   8
d                      NULL
`
	if clean(b.String()) != clean(want) {
		t.Errorf("got\n%s", b.String())
	}
	if !strings.Contains(b.String(), "\na ███████ ") || !strings.Contains(b.String(), "\nc        ██████████████") {
		t.Errorf("the zero line is not where it should be:\n%s", b.String())
	}
}

// clean leaves the words of lines, whatever lies between them.
func clean(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return strings.Join(lines, "\n")
}

// TestBins checks each count against the values between its bounds.
func TestBins(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	for range 200 {
		scale := math.Pow(10, float64(r.Intn(12)-6))
		var rows [][]float64
		for range 1 + r.Intn(300) {
			v := r.NormFloat64() * scale
			if r.Intn(20) == 0 {
				v = math.NaN()
			}
			rows = append(rows, []float64{0, v})
		}
		c, _ := New([]Axis{{"v", Number}})
		for _, row := range rows {
			if err := c.Add("", 0, row[1:]); err != nil {
				t.Fatal(err)
			}
		}
		binned := c.binned()
		var total float64
		for _, n := range binned.Series[0].Values {
			total += n
		}
		_, _, some := c.bounds()
		if some && total != float64(len(rows)) || len(binned.Labels) > 26 {
			t.Fatalf("seed %d: %d values, %g in %d bins", seed, len(rows), total, len(binned.Labels))
		}
	}
	c, _ := New([]Axis{{"v", Number}})
	for _, v := range []float64{1, 1.5, 2, 2, 9.9} {
		_ = c.Add("", 0, []float64{v})
	}
	binned := c.binned()
	if got := strings.Join(binned.Labels, "|"); got != "0 … 5|5 … 10" || binned.Series[0].Values[0] != 4 || binned.Series[0].Values[1] != 1 {
		t.Errorf("%s %v", got, binned.Series[0].Values)
	}
}

func TestEven(t *testing.T) {
	c := of(t, []Axis{{"x", Number}, {"y", Number}}, []float64{4, 40}, []float64{0, 0}, []float64{0, 20}, []float64{2, math.NaN()})
	c.sorted()
	at, series := c.even(5)
	want := []float64{10, 17.5, 25, 32.5, 40} // the mean of two, then a straight line
	for i := range want {
		if at[i] != float64(i) || series[0][i] != want[i] {
			t.Fatalf("%v %v", at, series)
		}
	}
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1234567: "1,234,567", -1234.5: "-1,234.5", 0.25: "0.25", 1e20: "1e+20", 1e-9: "1e-09", 370.06622516: "370.066", -0.000001: "-1e-06"} {
		if got := text(x); got != want {
			t.Errorf("%g is %s, want %s", x, got, want)
		}
	}
}

// TestSVG checks that the picture is XML whatever the labels are.
func TestSVG(t *testing.T) {
	c, err := New([]Axis{{"<w>", Name}, {"a&b", Number}, {"\"q\"", Number}})
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"<script>alert(1)</script>", "a&b", "\x00\x1b[31m", strings.Repeat("long ", 40), "'\""} {
		if err := c.Add(label, 0, []float64{1, -2}); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := c.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "<script") {
		t.Error("a label is an element")
	}
	decoder := xml.NewDecoder(&b)
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestAny draws random charts: none may panic, hang, or be no XML.
func TestAny(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	values := []float64{0, 1, -1, 1e300, -1e300, 5e-324, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64}
	value := func() float64 {
		if r.Intn(2) == 0 {
			return r.NormFloat64()
		}
		return values[r.Intn(len(values))]
	}
	for n := range 300 {
		columns := []Axis{{"x", Scale(r.Intn(3))}}
		for range r.Intn(4) {
			columns = append(columns, Axis{"y", Number})
		}
		c, err := New(columns)
		if err != nil {
			continue
		}
		for range r.Intn(40) {
			row := []float64{}
			for range c.Series {
				row = append(row, value())
			}
			if err := c.Add("label", value(), row); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := c.WriteText(&b, 1+r.Intn(120), r.Intn(2) == 0); err != nil {
			t.Fatalf("seed %d, chart %d: %v", seed, n, err)
		}
		b.Reset()
		if err := c.WriteSVG(&b); err == nil {
			if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
				t.Fatalf("seed %d, chart %d: %v", seed, n, err)
			}
		}
	}
}

func TestTooMany(t *testing.T) {
	c := of(t, []Axis{{"s", Name}, {"n", Number}})
	var err error
	for range MaxBars + 1 {
		err = c.Add("x", 0, []float64{1})
	}
	if err == nil || !strings.Contains(err.Error(), "at most 200") {
		t.Error(err)
	}
}
