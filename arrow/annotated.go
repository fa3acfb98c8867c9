package arrow

import (
	"fmt"
	"reflect"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// annotated is a type for arrow-go's writer of Parquet alone, which takes the annotation of a column
// from extensions. Programs never see it.
type annotated struct {
	arrow.ExtensionBase
	name    string
	logical schema.LogicalType
}

// annotatedArray is values of it.
type annotatedArray struct{ array.ExtensionArrayBase }

func annotate(storage arrow.DataType, name string, logical schema.LogicalType) *annotated {
	return &annotated{ExtensionBase: arrow.ExtensionBase{Storage: storage}, name: name, logical: logical}
}

// The types that Parquet has and Arrow has not.
var (
	parquetInterval = annotate(&arrow.FixedSizeBinaryType{ByteWidth: parquetIntervalBytes}, "interval", schema.IntervalLogicalType{})
	parquetEnum     = annotate(arrow.BinaryTypes.String, "enum", schema.EnumLogicalType{})
	parquetBSON     = annotate(arrow.BinaryTypes.Binary, "bson", schema.BSONLogicalType{})
)

func (*annotated) ArrayType() reflect.Type                  { return reflect.TypeFor[annotatedArray]() }
func (a *annotated) ExtensionName() string                  { return "parquetsql." + a.name }
func (a *annotated) Serialize() string                      { return "" }
func (a *annotated) String() string                         { return a.ExtensionName() }
func (a *annotated) ParquetLogicalType() schema.LogicalType { return a.logical }

func (a *annotated) ExtensionEquals(other arrow.ExtensionType) bool {
	return a.ExtensionName() == other.ExtensionName()
}

func (a *annotated) Deserialize(arrow.DataType, string) (arrow.ExtensionType, error) {
	return nil, fmt.Errorf("%s is not for Arrow's files", a.name)
}
