package fileformat

import (
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// readLogicalType reads union LogicalType. An unknown member is
// LogicalUnknownFuture; a union without a member is LogicalNone.
func readLogicalType(r *thrift.Reader) LogicalType {
	var t LogicalType
	for f := (thrift.Field{}); r.Next(&f); {
		t = LogicalType{Kind: LogicalUnknownFuture}
		if int(f.ID) < len(logicalMembers) && f.ID > 0 {
			t.Kind = logicalMembers[f.ID]
		}
		switch t.Kind {
		case LogicalDecimal, LogicalTime, LogicalTimestamp, LogicalInteger, LogicalVariant, LogicalGeometry, LogicalGeography:
			readParameters(r, f, &t)
		default:
			r.Skip(f)
		}
	}
	return t
}

// logicalMembers is the kind of each member of the union.
var logicalMembers = [...]LogicalKind{
	0: LogicalUnknownFuture, 1: LogicalString, 2: LogicalMap, 3: LogicalList, 4: LogicalEnum, 5: LogicalDecimal,
	6: LogicalDate, 7: LogicalTime, 8: LogicalTimestamp, 9: LogicalUnknownFuture, 10: LogicalInteger,
	11: LogicalUnknown, 12: LogicalJSON, 13: LogicalBSON, 14: LogicalUUID, 15: LogicalFloat16,
	16: LogicalVariant, 17: LogicalGeometry, 18: LogicalGeography, 19: LogicalFile,
}

// readParameters reads the struct of a member that has fields.
func readParameters(r *thrift.Reader, f thrift.Field, t *LogicalType) {
	if !r.Struct(f) {
		return
	}
	if t.Kind == LogicalGeography {
		t.Algorithm = algorithmNames[0]
	}
	for f := (thrift.Field{}); r.Next(&f); {
		switch {
		case t.Kind == LogicalDecimal && f.ID == 1:
			t.Scale = int(r.I32(f))
		case t.Kind == LogicalDecimal && f.ID == 2:
			t.Precision = int(r.I32(f))
		case (t.Kind == LogicalTime || t.Kind == LogicalTimestamp) && f.ID == 1:
			t.UTC = r.Bool(f)
		case (t.Kind == LogicalTime || t.Kind == LogicalTimestamp) && f.ID == 2:
			t.Unit = readTimeUnit(r, f)
		case t.Kind == LogicalInteger && f.ID == 1:
			t.BitWidth = int(r.I8(f))
		case t.Kind == LogicalInteger && f.ID == 2:
			t.Signed = r.Bool(f)
		case t.Kind == LogicalVariant && f.ID == 1:
			t.Version = int(r.I8(f))
		case (t.Kind == LogicalGeometry || t.Kind == LogicalGeography) && f.ID == 1:
			t.CRS = r.String(f)
		case t.Kind == LogicalGeography && f.ID == 2:
			t.Algorithm = enumName(algorithmNames, r.I32(f))
		default:
			r.Skip(f)
		}
	}
}

var algorithmNames = []string{"SPHERICAL", "VINCENTY", "THOMAS", "ANDOYER", "KARNEY"}

// readTimeUnit reads union TimeUnit; it is UnitNone if its member is unknown.
func readTimeUnit(r *thrift.Reader, f thrift.Field) TimeUnit {
	unit := UnitNone
	if !r.Struct(f) {
		return unit
	}
	for f := (thrift.Field{}); r.Next(&f); {
		unit = UnitNone
		if f.ID >= 1 && f.ID <= 3 {
			unit = TimeUnit(f.ID)
		}
		r.Skip(f)
	}
	return unit
}

// fromConverted returns the logical type that a converted type stands for
// (LogicalTypes.md gives the correspondence type by type). Times and timestamps
// without LogicalType are adjusted to UTC.
func fromConverted(c ConvertedType, precision, scale int32) LogicalType {
	switch c {
	case ConvertedDecimal:
		return LogicalType{Kind: LogicalDecimal, Precision: int(precision), Scale: int(scale)}
	case ConvertedTimeMillis:
		return LogicalType{Kind: LogicalTime, Unit: Millis, UTC: true}
	case ConvertedTimeMicros:
		return LogicalType{Kind: LogicalTime, Unit: Micros, UTC: true}
	case ConvertedTimestampMillis:
		return LogicalType{Kind: LogicalTimestamp, Unit: Millis, UTC: true}
	case ConvertedTimestampMicros:
		return LogicalType{Kind: LogicalTimestamp, Unit: Micros, UTC: true}
	}
	if c >= ConvertedUint8 && c <= ConvertedUint64 {
		return LogicalType{Kind: LogicalInteger, BitWidth: 8 << (c - ConvertedUint8)}
	}
	if c >= ConvertedInt8 && c <= ConvertedInt64 {
		return LogicalType{Kind: LogicalInteger, BitWidth: 8 << (c - ConvertedInt8), Signed: true}
	}
	return LogicalType{Kind: convertedKinds[c]}
}

// convertedKinds has the converted types without parameters; all others are LogicalNone.
var convertedKinds = map[ConvertedType]LogicalKind{
	ConvertedUTF8: LogicalString, ConvertedMap: LogicalMap, ConvertedMapKeyValue: LogicalMapKeyValue,
	ConvertedList: LogicalList, ConvertedEnum: LogicalEnum, ConvertedDate: LogicalDate,
	ConvertedJSON: LogicalJSON, ConvertedBSON: LogicalBSON, ConvertedInterval: LogicalInterval,
}

// validate drops an annotation that does not fit the node's physical type: the
// values are then read as their physical type. The scale says what the values of a DECIMAL
// are, so that one is dropped only for a negative scale. A precision that is less than the scale
// is raised to it, and without a precision all values of the physical type count.
func (t LogicalType) validate(physical PhysicalType, length int) LogicalType {
	if t.Kind == LogicalUnknownFuture {
		return t
	}
	if !t.fits(physical, length) {
		return LogicalType{}
	}
	if t.Kind == LogicalDecimal {
		if t.Precision < 1 {
			t.Precision = physicalDigits(physical, length)
		}
		t.Precision = max(t.Precision, t.Scale)
	}
	return t
}

// physicalDigits is how many decimal digits the integers of a physical type have at most. It is no
// more than 38 where 128 bits hold them, and for BYTE_ARRAY, as decimals of more cannot be computed with.
func physicalDigits(physical PhysicalType, length int) int {
	const most, wide = 38, 16
	switch {
	case physical == Int32:
		length = 4
	case physical == Int64:
		length = 8
	case physical == ByteArray, length == wide:
		return most
	}
	return int(min((8*float64(length)-1)*math.Log10(2)+1, math.MaxInt32))
}

// fits is the "may annotate" rule of each type in LogicalTypes.md. Strings of a fixed
// length are allowed as well, because some writers write them.
func (t LogicalType) fits(physical PhysicalType, length int) bool {
	in := func(types ...PhysicalType) bool { return slices.Contains(types, physical) }
	switch t.Kind {
	case LogicalMap, LogicalMapKeyValue, LogicalList, LogicalVariant, LogicalFile:
		return physical == noType
	case LogicalString, LogicalEnum, LogicalJSON:
		return in(ByteArray, FixedLenByteArray)
	case LogicalBSON, LogicalGeometry, LogicalGeography:
		return in(ByteArray)
	case LogicalDecimal:
		return t.Scale >= 0 && in(Int32, Int64, ByteArray, FixedLenByteArray)
	case LogicalDate:
		return in(Int32)
	case LogicalTime:
		return t.Unit == Millis && in(Int32) || t.Unit > Millis && in(Int64)
	case LogicalTimestamp:
		return t.Unit != UnitNone && in(Int64)
	case LogicalInteger:
		switch t.BitWidth {
		case 8, 16, 32:
			return in(Int32)
		case 64:
			return in(Int64)
		}
		return false
	case LogicalUnknown:
		return physical != noType
	case LogicalUUID:
		return in(FixedLenByteArray) && length == 16
	case LogicalFloat16:
		return in(FixedLenByteArray) && length == 2
	case LogicalInterval:
		return in(FixedLenByteArray) && length == 12
	}
	return false
}
