package order

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"
	"strings"

	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// maxScale is the largest scale of a decimal.
const maxScale = 38

type builder struct{ *variant.Builder }

var errKey = errors.New("not the key of a VARIANT")

// AppendValue is the reverse of AppendKey: it appends a value that has this key. Of equal values it is always
// the same one: exact numbers are an integer where they are whole, else a decimal
// without zeros at its end; timestamps are in microseconds where they can be.
func AppendValue(to *variant.Builder, key string) error {
	b := builder{to}
	rest, err := b.unkey(key, 0)
	if err == nil && rest != "" {
		return errKey
	}
	return err
}

func (b builder) unkey(key string, depth int) (rest string, err error) {
	if key == "" || depth > variant.MaxDepth {
		return "", errKey
	}
	class := key[0]
	switch key = key[1:]; class {
	case classNull:
		b.Null()
		return key, nil
	case classNumber:
		return b.unkeyNumber(key)
	case classString, classBinary:
		s, rest, err := cutTextKey(key)
		if class == classString {
			b.String(s)
		} else {
			b.Binary(s)
		}
		return rest, err
	case classArray, classObject:
		return b.unkeyContainer(key, class == classObject, depth)
	}
	sizes := [classNull]int{classBoolean: 1, classDate: 8, classTime: 8, classTimestamp: 10, classTimestampNTZ: 10, classUUID: 16}
	if int(class) >= len(sizes) || sizes[class] == 0 || len(key) < sizes[class] {
		return "", errKey
	}
	own := key[:sizes[class]]
	switch class {
	case classBoolean:
		b.Bool(own[0] != 0)
	case classUUID:
		b.UUID(own)
	case classDate:
		b.Date(intOfKey(own))
	case classTime:
		b.Long(variant.TimeNTZ, intOfKey(own))
	default:
		b.unkeyTimestamp(own, class == classTimestamp)
	}
	return key[len(own):], nil
}

func intOfKey(key string) int64 { return int64(binary.BigEndian.Uint64([]byte(key[:8])) ^ 1<<63) }

func (b builder) unkeyTimestamp(key string, utc bool) {
	micros, nanos := intOfKey(key), int64(key[8])<<8|int64(key[9])
	kind, value := variant.TimestampNTZ, micros
	if utc {
		kind = variant.Timestamp
	}
	if nanos != 0 {
		value = micros*1000 + nanos
		if kind = variant.TimestampNTZNanos; utc {
			kind = variant.TimestampNanos
		}
	}
	b.Long(kind, value)
}

// cutTextKey is the reverse of appendTextKey.
func cutTextKey(key string) (s, rest string, err error) {
	var out strings.Builder
	for {
		at := strings.IndexByte(key, 0)
		if at < 0 || at+1 >= len(key) {
			return "", "", errKey
		}
		out.WriteString(key[:at])
		if key[at+1] == 1 {
			return out.String(), key[at+2:], nil
		}
		out.WriteByte(0)
		key = key[at+2:]
	}
}

func (b builder) unkeyContainer(key string, object bool, depth int) (rest string, err error) {
	if object {
		b.BeginObject()
	} else {
		b.BeginArray()
	}
	for key != "" && key[0] == 1 {
		key = key[1:]
		if object {
			var name string
			if name, key, err = cutTextKey(key); err != nil {
				return "", err
			}
			b.Name(name)
		}
		if key, err = b.unkey(key, depth+1); err != nil {
			return "", err
		}
	}
	if key == "" || key[0] != 0 {
		return "", errKey
	}
	b.End()
	return key[1:], nil
}

// unkeyNumber is the reverse of appendNumberKey.
func (b builder) unkeyNumber(key string) (rest string, err error) {
	if len(key) < 9 {
		return "", errKey
	}
	bits := binary.BigEndian.Uint64([]byte(key[:8]))
	if bits>>63 != 0 {
		bits &^= 1 << 63
	} else {
		bits = ^bits
	}
	double, side := math.Float64frombits(bits), key[8]
	switch key = key[9:]; side {
	case doubleNumber:
		b.Double(double)
	case floatNumber:
		b.Float(float32(double))
	case exactNumber:
		if math.IsNaN(double) || math.IsInf(double, 0) {
			return "", errKey
		}
		return key, b.exact(new(big.Float).SetFloat64(double).Text('f', maxScale))
	case belowDouble, aboveDouble:
		return b.unkeyDigits(key, double < 0)
	default:
		return "", errKey
	}
	return key, nil
}

// unkeyDigits is the reverse of appendDigitsKey.
func (b builder) unkeyDigits(key string, negative bool) (rest string, err error) {
	flip, text := byte(0), ""
	if negative {
		flip, text = 0xff, "-"
	}
	if key == "" {
		return "", errKey
	}
	end := strings.IndexByte(key[1:], flip) + 1 // behind the digits, none of which looks like it
	if end < 2 {
		return "", errKey
	}
	digits := make([]byte, end-1)
	for i := range digits {
		digits[i] = key[i+1] ^ flip
	}
	whole := int(key[0]^flip) - 64
	for whole > len(digits) {
		digits = append(digits, '0')
	}
	switch {
	case whole <= 0:
		text += "0." + strings.Repeat("0", -whole) + string(digits)
	default:
		text += string(digits[:whole]) + "." + string(digits[whole:])
	}
	return key[end+1:], b.exact(text)
}

// exact appends a number with a point.
func (b builder) exact(text string) error {
	whole, fraction, _ := strings.Cut(text, ".")
	fraction = strings.TrimRight(fraction, "0")
	v, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		return errKey
	}
	unscaled, ok := vector.Int128FromBig(v)
	switch {
	case !ok:
		return errKey
	case fraction == "" && unscaled.IsInt64():
		b.Int(unscaled.Int64())
	default:
		b.Decimal(unscaled, len(fraction))
	}
	return nil
}
