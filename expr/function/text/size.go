package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// SizeFunctions show numbers to people.
var SizeFunctions = []expr.Function{
	{Name: "FORMAT_BYTES", Aliases: []string{"FORMATREADABLESIZE", "PG_SIZE_PRETTY"}, Help: "a number of bytes with a unit of powers of 1024", Example: "FORMAT_BYTES(16000) → 15.6 KiB",
		Binding: define.Fixed(define.TypeText, kernel.Text1(sizeIn(1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB"})), true, define.WantInt)},
	{Name: "FORMATREADABLEDECIMALSIZE", Help: "a number of bytes with a unit of powers of 1000", Example: "formatReadableDecimalSize(16000) → 16.0 kB",
		Binding: define.Fixed(define.TypeText, kernel.Text1(sizeIn(1000, []string{"kB", "MB", "GB", "TB", "PB"})), true, define.WantInt)},
	{Name: "PARSE_FORMATTED_BYTES", Help: "the number of bytes that a number with a unit stands for: KB to TB count in 1000, KiB to TiB in 1024", Example: "PARSE_FORMATTED_BYTES('1.5 KiB') → 1536",
		Binding: define.Fixed(vector.Of(vector.UBigInt), kernel.Try1(parseSize), true, define.WantText)},
	{Name: "BAR", Help: "a bar whose length shows where a number is between two others, with a width of 80 by default", Example: "BAR(5, 0, 20, 12) || '|' → ███         |",
		Binding: define.Overloaded(
			define.Fixed(define.TypeText, barKernel, true, define.WantDouble, define.WantDouble, define.WantDouble),
			define.Fixed(define.TypeText, barKernel, true, define.WantDouble, define.WantDouble, define.WantDouble, define.WantDouble))},
}

// sizeIn shows a size with one digit after the point, which is not rounded.
func sizeIn(step uint64, units []string) func(dst []byte, v int64) ([]byte, kernel.Outcome) {
	return func(dst []byte, v int64) ([]byte, kernel.Outcome) {
		n := uint64(v)
		if v < 0 {
			dst, n = append(dst, '-'), -n
		}
		if n < step {
			dst = strconv.AppendUint(dst, n, 10)
			if n == 1 {
				return append(dst, " byte"...), kernel.Outcome{}
			}
			return append(dst, " bytes"...), kernel.Outcome{}
		}
		unit, size := 0, step
		for unit < len(units)-1 && n/size >= step {
			unit, size = unit+1, size*step
		}
		whole := n / size
		dst = strconv.AppendUint(dst, whole, 10)
		dst = append(dst, '.', byte('0'+(n-whole*size)*10/size), ' ')
		return append(dst, units[unit]...), kernel.Outcome{}
	}
}

// byteUnits are the units of sizes in bytes, in lower case.
var byteUnits = map[string]float64{
	"b": 1, "byte": 1, "bytes": 1,
	"k": 1e3, "kb": 1e3, "kilobyte": 1e3, "kilobytes": 1e3, "m": 1e6, "mb": 1e6, "megabyte": 1e6, "megabytes": 1e6,
	"g": 1e9, "gb": 1e9, "gigabyte": 1e9, "gigabytes": 1e9, "t": 1e12, "tb": 1e12, "terabyte": 1e12, "terabytes": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// parseSize is the number of bytes of a text like 1.5 KiB.
func parseSize(s string) (uint64, kernel.Outcome) {
	fail := func(why string) (uint64, kernel.Outcome) {
		return 0, kernel.Outcome{Err: fmt.Errorf("PARSE_FORMATTED_BYTES: %q %s", s, why)}
	}
	text := strings.TrimSpace(s)
	end := strings.IndexFunc(text, func(c rune) bool { return !strings.ContainsRune("0123456789.eE-+", c) })
	if end <= 0 {
		return fail("is not a number with a unit, such as 1KB or 1KiB")
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return fail("does not begin with a number")
	}
	unit, _, _ := strings.Cut(strings.TrimSpace(text[end:]), " ")
	factor, ok := byteUnits[strings.ToLower(unit)]
	switch bytes := n * factor; {
	case !ok:
		return fail("has none of the units KB, MB, GB, TB, KiB, MiB, GiB and TiB")
	case !(n >= 0):
		return fail("is negative")
	case !(bytes < 1<<64):
		return fail("does not fit UBIGINT")
	default:
		return uint64(bytes), kernel.Outcome{}
	}
}

// barKernel takes the number, the least and the greatest one, and perhaps the width.
func barKernel() kernel.Func {
	texts := &kernel.TextBuffer{}
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		x, least, most := kernel.OperandOf[float64](args[0]), kernel.OperandOf[float64](args[1]), kernel.OperandOf[float64](args[2])
		width := kernel.Operand[float64]{V: []float64{80}}
		if len(args) == 4 {
			width = kernel.OperandOf[float64](args[3])
		}
		return texts.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
			return appendBar(dst, x.At(i), [2]float64{least.At(i), most.At(i)}, width.At(i))
		})
	}
}

// appendBar draws full blocks, then a part of a block in eighths, then blanks.
func appendBar(dst []byte, x float64, between [2]float64, width float64) ([]byte, kernel.Outcome) {
	if !(width >= 1 && width <= 1000) {
		return dst, kernel.Outcome{Err: fmt.Errorf("BAR: the width %v is not from 1 to 1000", width)}
	}
	eighths := 0
	switch least, most := between[0], between[1]; {
	case x <= least || x != x || least != least || most != most:
	case x >= most:
		eighths = int(width * 8)
	default:
		part := width * (x - least) / (most - least) // in this order, as what is cut to eighths depends on it
		if math.IsInf(part, 0) || part != part {
			return dst, kernel.Outcome{Err: fmt.Errorf("BAR: the numbers from %v to %v are too far apart", least, most)}
		}
		eighths = int(part * 8)
	}
	full := eighths / 8
	dst = append(dst, strings.Repeat("█", full)...)
	if eighths%8 > 0 {
		dst = append(dst, string(rune('█'+8-eighths%8))...)
		full++
	}
	return append(dst, strings.Repeat(" ", max(int(width)-full, 0))...), kernel.Outcome{}
}
