package exectest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// Wide has one column of each storage that is not nested, most of them nullable.
var Wide = vector.Schema{
	{Name: "tiny", Type: vector.Of(vector.TinyInt), Nullable: true},
	{Name: "big", Type: vector.Of(vector.BigInt), Nullable: true},
	{Name: "s", Type: vector.Of(vector.Varchar), Nullable: true},
	{Name: "f", Type: vector.Of(vector.Double), Nullable: true},
	{Name: "u", Type: vector.Of(vector.UBigInt), Nullable: true},
	{Name: "d", Type: vector.DecimalType(9, 2), Nullable: true},
	{Name: "d38", Type: vector.DecimalType(30, 4), Nullable: true},
	{Name: "b", Type: vector.Of(vector.Boolean), Nullable: true},
	{Name: "f4", Type: vector.Of(vector.Float), Nullable: true},
	{Name: "iv", Type: vector.Of(vector.Interval), Nullable: true},
	{Name: "id", Type: vector.Of(vector.BigInt)},
}

// The columns of Wide.
const (
	Tiny = iota
	Big
	Str
	F64
	U64
	Dec
	Dec38
	Bool
	F32
	Interval
	ID
)

// WideRows makes n rows of Wide: few distinct values, so that keys repeat, but a
// different ID for each row.
func WideRows(r *rand.Rand, n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		row := make(Row, len(Wide))
		for c := range row {
			row[c].Type = Wide[c].Type
		}
		row[Tiny].I64 = r.Int64N(5) - 2
		row[Big].I64 = r.Int64() >> r.IntN(63)
		row[Str].Str = strings.Repeat("a\x00", r.IntN(3)) + fmt.Sprint("s", r.IntN(12))
		row[F64].F64 = []float64{0, math.Copysign(0, -1), 1.25, -7, 1e10, r.NormFloat64()}[r.IntN(6)]
		row[U64].U64 = r.Uint64() >> r.IntN(64)
		row[Dec].I64 = r.Int64N(2e9) - 1e9
		row[Dec38].I128 = vector.MulInt64(r.Int64()-math.MaxInt64/2, 1e9)
		row[Bool].Bool = r.IntN(2) == 0
		row[F32].F32 = float32(r.IntN(100)) / 4
		row[Interval].Interval = vector.IntervalValue{Months: r.Int64N(3), Days: r.Int64N(60) - 30}
		row[ID].I64 = int64(i)
		rows[i] = row
	}
	return rows
}

// Col is a reference to a column of Wide.
func Col(c int) expr.Expr { return expr.NewColumn(c, Wide[c].Name, Wide[c].Type) }

// CompareScalars compares two values that are not NULL as ORDER BY does.
func CompareScalars(a, b vector.Scalar) int {
	switch a.Type.Storage() {
	case vector.StoreBool:
		return strings.Compare(fmt.Sprint(a.Bool), fmt.Sprint(b.Bool))
	case vector.StoreUint64:
		return new(big.Int).SetUint64(a.U64).Cmp(new(big.Int).SetUint64(b.U64))
	case vector.StoreInt128:
		return a.I128.Big().Cmp(b.I128.Big())
	case vector.StoreString:
		return strings.Compare(a.Str, b.Str)
	case vector.StoreInterval:
		return a.Interval.Normal().Big().Cmp(b.Interval.Normal().Big())
	case vector.StoreFloat32, vector.StoreFloat64:
		x, y := a.F64+float64(a.F32), b.F64+float64(b.F32)
		switch {
		case x < y || x == x && y != y:
			return -1
		case x > y || x != x && y == y:
			return 1
		}
		return 0
	}
	return big.NewInt(a.I64).Cmp(big.NewInt(b.I64))
}

// RandomList is a VARCHAR[] of up to three elements, some of them NULL, or NULL.
func RandomList(r *rand.Rand, typ vector.Type) vector.Scalar {
	if r.IntN(4) == 0 {
		return vector.NullOf(typ)
	}
	items := vector.New(typ.Fields[0].Type, r.IntN(4))
	for i := range items.Len {
		items.Str[i] = fmt.Sprint("item", r.IntN(1000))
		if r.IntN(4) == 0 {
			items.SetNull(i)
		}
	}
	v := vector.New(typ, 1)
	v.Offsets, v.Children = []int32{0, int32(items.Len)}, []*vector.Vector{items}
	return vector.Scalar{Type: typ, Nested: v}
}

// RandomValue makes a value of any type, with NULLs inside of nested ones. Lists have
// up to 4 elements, rarely up to longest.
func RandomValue(r *rand.Rand, t vector.Type, longest int) vector.Scalar {
	s := vector.Scalar{Type: t, I64: r.Int64N(100)}
	if t.Storage() == vector.StoreString {
		s.Str = fmt.Sprint("v", r.IntN(20))
	}
	if t.Storage() != vector.StoreNested {
		return s
	}
	n := 1
	if t.Kind != vector.Struct {
		if n = r.IntN(5); longest > 12 || r.IntN(20) == 0 {
			n = r.IntN(longest)
		}
	}
	s.Nested = &vector.Vector{Type: t, Len: 1, Offsets: []int32{0, int32(n)}}
	for _, f := range t.Fields {
		values := make([]vector.Scalar, n)
		for i := range values {
			values[i] = RandomValue(r, f.Type, 4)
			if f.Nullable && r.IntN(5) == 0 {
				values[i] = vector.NullOf(f.Type)
			}
		}
		s.Nested.Children = append(s.Nested.Children, Vector(f.Type, values))
	}
	return s
}

// Must returns a function that unwraps the result of a constructor of expr.
func Must(t *testing.T) func(e expr.Expr, err error) expr.Expr {
	return func(e expr.Expr, err error) expr.Expr {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
}
