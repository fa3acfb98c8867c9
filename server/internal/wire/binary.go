package wire

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
	"time"
)

// binary is the form that PostgreSQL's send functions write.
func (t Type) binary() Appender {
	switch t.OID {
	case Bool:
		return func(dst []byte, values any, i int) ([]byte, error) {
			if values.([]bool)[i] {
				return append(dst, 1), nil
			}
			return append(dst, 0), nil
		}
	case Int2:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return binary.BigEndian.AppendUint16(dst, uint16(values.([]int64)[i])), nil
		}
	case Int4:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return binary.BigEndian.AppendUint32(dst, uint32(values.([]int64)[i])), nil
		}
	case Int8:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return binary.BigEndian.AppendUint64(dst, uint64(values.([]int64)[i])), nil
		}
	case Float4:
		return func(dst []byte, values any, i int) ([]byte, error) {
			v := values.([]float32)[i]
			if v != v {
				return binary.BigEndian.AppendUint32(dst, 0x7fc00000), nil // one NaN for all
			}
			return binary.BigEndian.AppendUint32(dst, math.Float32bits(v)), nil
		}
	case Float8:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return binary.BigEndian.AppendUint64(dst, floatBits(values.([]float64)[i])), nil
		}
	case Numeric:
		return numericBinary
	case Date:
		return dateBinary
	case Timestamp, TimestampTZ:
		return timestampBinary
	case Time:
		return func(dst []byte, values any, i int) ([]byte, error) {
			micros, err := clock(values.([]string)[i])
			return binary.BigEndian.AppendUint64(dst, uint64(micros)), err
		}
	case Interval:
		return func(dst []byte, values any, i int) ([]byte, error) {
			months, days, micros, err := interval(values.([]string)[i])
			dst = binary.BigEndian.AppendUint64(dst, uint64(micros))
			dst = binary.BigEndian.AppendUint32(dst, uint32(days))
			return binary.BigEndian.AppendUint32(dst, uint32(months)), err
		}
	case UUID:
		return uuidBinary
	case Bytea:
		return func(dst []byte, values any, i int) ([]byte, error) { return append(dst, values.([][]byte)[i]...), nil }
	case JSONB:
		return func(dst []byte, values any, i int) ([]byte, error) {
			return append(append(dst, 1), values.([]string)[i]...), nil
		}
	}
	if t.elem != nil {
		return t.arrayBinary()
	}
	return plain
}

// epoch is the beginning of PostgreSQL's dates and timestamps.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func dateBinary(dst []byte, values any, i int) ([]byte, error) {
	t := values.([]time.Time)[i]
	if err := checkYear(t, lastYearDate, "date"); err != nil {
		return dst, err
	}
	return binary.BigEndian.AppendUint32(dst, uint32((t.Unix()-epoch.Unix())/86400)), nil
}

func timestampBinary(dst []byte, values any, i int) ([]byte, error) {
	return appendMoment(dst, values.([]time.Time)[i])
}

// The years 1 to 9999, in seconds of Unix: PostgreSQL has all of them.
const (
	commonFrom = -62135596800
	commonTo   = 253402300800
)

var epochSeconds = epoch.Unix()

// appendMoment appends the microseconds since epoch. Half a microsecond is rounded up.
func appendMoment(dst []byte, t time.Time) ([]byte, error) {
	seconds, micros := t.Unix(), int64(t.Nanosecond()+500)/1000
	if seconds < commonFrom || seconds >= commonTo-1 {
		if err := checkYear(t.Round(time.Microsecond), lastYearTimestamp, "timestamp"); err != nil {
			return dst, err
		}
	}
	return binary.BigEndian.AppendUint64(dst, uint64((seconds-epochSeconds)*1e6+micros)), nil
}

// floatBits are those of a number; all NaNs are one.
func floatBits(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000000
	}
	return math.Float64bits(v)
}

func uuidBinary(dst []byte, values any, i int) ([]byte, error) {
	text := values.([]string)[i]
	out, err := hex.AppendDecode(dst, []byte(strings.ReplaceAll(text, "-", "")))
	if err == nil && len(out)-len(dst) != 16 {
		err = fmt.Errorf("%.50q is no UUID", text)
	}
	return out, err
}
