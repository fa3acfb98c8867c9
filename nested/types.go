package nested

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/vector"
)

// TypeOf is the SQL type of a leaf's values. If the logical type is unknown or does
// not fit the physical type, it is that of the physical type.
func TypeOf(n *fileformat.Node, o Options) vector.Type {
	if n.Geo != nil {
		return geoType(n.Geo)
	}
	l := n.Logical
	switch l.Kind {
	case fileformat.LogicalString:
		return vector.Of(vector.Varchar)
	case fileformat.LogicalEnum:
		return vector.Of(vector.Enum)
	case fileformat.LogicalDecimal:
		return vector.DecimalType(l.Precision, l.Scale)
	case fileformat.LogicalDate:
		return vector.Of(vector.Date)
	case fileformat.LogicalTime:
		return vector.TimeType(unitOf(l.Unit))
	case fileformat.LogicalTimestamp:
		return vector.TimestampType(unitOf(l.Unit), l.UTC)
	case fileformat.LogicalInteger:
		return integerType(l)
	case fileformat.LogicalUnknown:
		return vector.Of(vector.Null)
	case fileformat.LogicalJSON:
		return vector.Of(vector.JSON)
	case fileformat.LogicalBSON:
		return vector.Of(vector.BSON)
	case fileformat.LogicalUUID:
		return vector.Of(vector.UUID)
	case fileformat.LogicalFloat16:
		return vector.Of(vector.Half)
	case fileformat.LogicalGeometry:
		return vector.GeometryType(l.CRS)
	case fileformat.LogicalGeography:
		return vector.GeographyType(l.CRS, l.Algorithm)
	case fileformat.LogicalInterval:
		return vector.Of(vector.Interval)
	}
	return physicalType(n, o)
}

func geoType(g *fileformat.Geo) vector.Type {
	if g.Algorithm != "" {
		return vector.GeographyType(g.CRS, g.Algorithm)
	}
	return vector.GeometryType(g.CRS)
}

func physicalType(n *fileformat.Node, o Options) vector.Type {
	switch n.Physical {
	case fileformat.Boolean:
		return vector.Of(vector.Boolean)
	case fileformat.Int32:
		return vector.Of(vector.Integer)
	case fileformat.Int64:
		return vector.Of(vector.BigInt)
	case fileformat.Int96Type: // its only use was for timestamps of nanoseconds
		return vector.TimestampType(vector.Wide, false)
	case fileformat.Float:
		return vector.Of(vector.Float)
	case fileformat.Double:
		return vector.Of(vector.Double)
	case fileformat.ByteArray:
		if o.BinaryAsString && n.Logical.Kind == fileformat.LogicalNone {
			return vector.Of(vector.Varchar)
		}
	}
	return vector.Of(vector.Blob)
}

func unitOf(u fileformat.TimeUnit) vector.Unit {
	switch u {
	case fileformat.Millis:
		return vector.Millis
	case fileformat.Micros:
		return vector.Micros
	}
	return vector.Nanos
}

func integerType(l fileformat.LogicalType) vector.Type {
	return vector.IntegerType(l.BitWidth, !l.Signed)
}
