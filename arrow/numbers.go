package arrow

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/vector"
)

type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// fillNumbers adds values of one width.
func (m *maker) fillNumbers(p *parts, x *values, t arrow.DataType) error {
	src := x.src
	switch src.Type.Storage() {
	case vector.StoreUint64:
		copyNumbers(arrow.Uint64Traits.CastFromBytes(m.buffer(p, 8*x.n)), src.U64, x)
	case vector.StoreFloat32:
		if t.ID() == arrow.FLOAT16 {
			x.halves(arrow.Float16Traits.CastFromBytes(m.buffer(p, 2*x.n)))
			return nil
		}
		copyNumbers(arrow.Float32Traits.CastFromBytes(m.buffer(p, 4*x.n)), src.F32, x)
	case vector.StoreFloat64:
		copyNumbers(arrow.Float64Traits.CastFromBytes(m.buffer(p, 8*x.n)), src.F64, x)
	case vector.StoreInt128:
		if src.Type.Kind == vector.Decimal {
			x.decimals128(arrow.Decimal128Traits.CastFromBytes(m.buffer(p, 16*x.n)))
			return nil
		}
		return x.wideTimes(arrow.Int64Traits.CastFromBytes(m.buffer(p, 8*x.n)))
	case vector.StoreInterval:
		if t.ID() == arrow.FIXED_SIZE_BINARY {
			return x.parquetIntervals(m.buffer(p, parquetIntervalBytes*x.n))
		}
		return x.intervals(arrow.MonthDayNanoIntervalTraits.CastFromBytes(m.buffer(p, 16*x.n)))
	case vector.StoreInt64:
		return m.fillIntegers(p, x, t)
	default:
		return fmt.Errorf("no %s is made of %s", t, src.Type)
	}
	return nil
}

// fillIntegers adds what the driver keeps as int64, in the width of the type.
func (m *maker) fillIntegers(p *parts, x *values, t arrow.DataType) error {
	src := x.src.I64
	switch t.ID() {
	case arrow.INT8:
		copyNumbers(arrow.Int8Traits.CastFromBytes(m.buffer(p, x.n)), src, x)
	case arrow.UINT8:
		copyNumbers(arrow.Uint8Traits.CastFromBytes(m.buffer(p, x.n)), src, x)
	case arrow.INT16:
		copyNumbers(arrow.Int16Traits.CastFromBytes(m.buffer(p, 2*x.n)), src, x)
	case arrow.UINT16:
		copyNumbers(arrow.Uint16Traits.CastFromBytes(m.buffer(p, 2*x.n)), src, x)
	case arrow.INT32:
		copyNumbers(arrow.Int32Traits.CastFromBytes(m.buffer(p, 4*x.n)), src, x)
	case arrow.UINT32:
		copyNumbers(arrow.Uint32Traits.CastFromBytes(m.buffer(p, 4*x.n)), src, x)
	case arrow.DATE32:
		if err := x.within32(); err != nil {
			return err
		}
		copyNumbers(arrow.Int32Traits.CastFromBytes(m.buffer(p, 4*x.n)), src, x)
	case arrow.TIME32:
		dst := arrow.Int32Traits.CastFromBytes(m.buffer(p, 4*x.n))
		if copyNumbers(dst, src, x); x.src.Type.Unit == vector.Seconds && t.(*arrow.Time32Type).Unit == arrow.Millisecond {
			for i := range dst {
				dst[i] *= 1000 // at most 86400 seconds
			}
		}
	case arrow.TIMESTAMP:
		dst := arrow.Int64Traits.CastFromBytes(m.buffer(p, 8*x.n))
		if copyNumbers(dst, src, x); x.src.Type.Unit == vector.Seconds && t.(*arrow.TimestampType).Unit == arrow.Millisecond {
			return millis(dst)
		}
	case arrow.DECIMAL128:
		dst := arrow.Decimal128Traits.CastFromBytes(m.buffer(p, 16*x.n))
		for i := range dst {
			if dst[i] = (decimal128.Num{}); !x.isNull(i) {
				dst[i] = decimal128.FromI64(src[x.place(i)])
			}
		}
	default: // INT64, TIME64
		copyNumbers(arrow.Int64Traits.CastFromBytes(m.buffer(p, 8*x.n)), src, x)
	}
	return nil
}

// copyNumbers copies the values; there is 0 below NULLs.
func copyNumbers[D, S number](dst []D, src []S, x *values) {
	if x.places == nil {
		for i, value := range src[:len(dst)] {
			dst[i] = D(value)
		}
	} else {
		for i, at := range x.places {
			dst[i] = D(src[at])
		}
	}
	if x.nulls == 0 {
		return
	}
	for i := range dst {
		if x.isNull(i) {
			dst[i] = 0
		}
	}
}

// within32 is an error where a DATE is beyond 32 bits.
func (x *values) within32() error {
	for i := range x.n {
		if days := x.src.I64[x.place(i)]; !x.isNull(i) && days != int64(int32(days)) {
			return fmt.Errorf("the DATE %d days from 1970 is beyond Arrow's date32: %w", days, parquetsql.ErrOutOfRange)
		}
	}
	return nil
}

// millis makes seconds milliseconds.
func millis(dst []int64) error {
	for i, seconds := range dst {
		if seconds > math.MaxInt64/1000 || seconds < math.MinInt64/1000 {
			return fmt.Errorf("the TIMESTAMP %d seconds from 1970 is beyond Parquet's milliseconds: %w", seconds, parquetsql.ErrOutOfRange)
		}
		dst[i] = seconds * 1000
	}
	return nil
}

func (x *values) halves(dst []float16.Num) {
	for i := range dst {
		if dst[i] = (float16.Num{}); !x.isNull(i) {
			dst[i] = float16.FromBits(halfBits(x.src.F32[x.place(i)]))
		}
	}
}

// halfBits is the nearest half of a float, the even one of two. (float16.New makes subnormal ones 0.)
func halfBits(f float32) uint16 {
	const (
		least    = 0x1p-14 // normal
		infinity = 0x7c00
		overflow = 65520 // half way from the greatest half to the next that would be
	)
	bits := math.Float32bits(f)
	sign, size := uint16(bits>>16)&0x8000, math.Float32frombits(bits&^(1<<31))
	switch {
	case f != f:
		return sign | infinity | 0x200 | uint16(bits>>13)&0x1ff
	case size >= overflow:
		return sign | infinity
	case size < least:
		return sign | uint16(math.RoundToEven(float64(size)*0x1p24))
	}
	bits = math.Float32bits(size)
	bits += 0xfff + bits>>13&1 // to the nearest, of which the carry may go into the exponent
	return sign | uint16(bits>>13-(127-15)<<10)
}

func (x *values) decimals128(dst []decimal128.Num) {
	for i := range dst {
		if dst[i] = (decimal128.Num{}); !x.isNull(i) {
			value := x.src.I128[x.place(i)]
			dst[i] = decimal128.New(value.Hi, value.Lo)
		}
	}
}

// wideTimes are nanoseconds since 1970 that 64 bits may not hold.
func (x *values) wideTimes(dst []int64) error {
	for i := range dst {
		if dst[i] = 0; x.isNull(i) {
			continue
		}
		value := x.src.I128[x.place(i)]
		if !value.IsInt64() {
			days, nanos := vector.SplitWide(value)
			return fmt.Errorf("the time %s is beyond the nanoseconds of Arrow: cast it to TIMESTAMP_S, TIMESTAMP_MS or DATE: %w",
				time.Unix(days*86400, nanos).UTC().Format("2006-01-02 15:04:05"), parquetsql.ErrOutOfRange)
		}
		dst[i] = value.Int64()
	}
	return nil
}

func (x *values) intervals(dst []arrow.MonthDayNanoInterval) error {
	for i := range dst {
		if dst[i] = (arrow.MonthDayNanoInterval{}); x.isNull(i) {
			continue
		}
		value := x.src.Interval[x.place(i)]
		if int64(int32(value.Months)) != value.Months || int64(int32(value.Days)) != value.Days ||
			value.Micros > math.MaxInt64/1000 || value.Micros < math.MinInt64/1000 {
			return fmt.Errorf("the INTERVAL %s is beyond Arrow's month_day_nano_interval: %w", vector.AppendInterval(nil, value), parquetsql.ErrOutOfRange)
		}
		dst[i] = arrow.MonthDayNanoInterval{Months: int32(value.Months), Days: int32(value.Days), Nanoseconds: value.Micros * 1000}
	}
	return nil
}

// Parquet's INTERVAL is three little-endian numbers of 32 bits without sign: months, days,
// milliseconds (LogicalTypes.md, "INTERVAL").
const parquetIntervalBytes = 12

func (x *values) parquetIntervals(dst []byte) error {
	clear(dst)
	for i := range x.n {
		if x.isNull(i) {
			continue
		}
		value := x.src.Interval[x.place(i)]
		for at, part := range []int64{value.Months, value.Days, value.Micros / 1000} {
			if part != int64(uint32(part)) || value.Micros%1000 != 0 {
				return fmt.Errorf("the INTERVAL %s is none of Parquet, which has whole milliseconds and no negative parts: cast it to VARCHAR: %w",
					vector.AppendInterval(nil, value), parquetsql.ErrOutOfRange)
			}
			binary.LittleEndian.PutUint32(dst[i*parquetIntervalBytes+4*at:], uint32(part))
		}
	}
	return nil
}
