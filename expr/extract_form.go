package expr

import (
	"slices"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Form is what is made of a value that was found within a VARIANT.
type Form uint8

// The forms. A value that is missing is NULL in all of them; a Variant null is NULL
// in all but FormVariant, FormKey, FormJSON and FormSign.
const (
	FormVariant Form = iota // the value itself
	FormText                // what ->> gives
	FormTyped               // cast to a type; an error where that fails
	FormTry                 // cast to a type; NULL where that fails
	FormFails               // BOOLEAN: whether FormTyped fails
	FormKey                 // BLOB: byte order is the order of Variants, equal bytes are equal values
	FormJSON                // JSON text
	FormSign                // TINYINT: -1, 0 or 1, whether the value is less than a constant, equal or greater
	FormEntries             // LIST of STRUCTs: the elements of an array or the fields of an object; of others NULL
	FormName                // only within FormEntries, VARCHAR: the name of a field, of an element NULL
)

// Extraction is what is taken from a VARIANT: the value that a path leads to, in a
// form. T is the type that FormTyped and FormTry cast to, also that of FormFails. Of
// FormKey it is BIGINT or DOUBLE where the key is compared with that of a number: see
// order.NumbersOf. Of FormJSON it is JSON, or RENDERED of a VARIANT. Else it does not
// count.
type Extraction struct {
	Path vector.Path // of FieldSteps and PositionSteps
	Form Form
	T    vector.Type

	Against vector.Scalar // of FormSign: of an SQL type, not NULL
	Entries []Entry       // of FormEntries: the fields of the STRUCTs
}

// Entry is what is taken from each element of an array or field of an object.
type Entry struct {
	Name string
	Extraction
}

// Type is the type of the values.
func (x Extraction) Type() vector.Type {
	switch x.Form {
	case FormText, FormName:
		return vector.Of(vector.Varchar)
	case FormEntries:
		return x.listType()
	case FormTyped, FormTry, FormJSON:
		return x.T
	case FormFails:
		return vector.Of(vector.Boolean)
	case FormKey:
		return vector.Of(vector.Blob)
	case FormSign:
		return vector.Of(vector.TinyInt)
	}
	return vector.VariantType()
}

// Equal reports whether two extractions are the same.
func (x Extraction) Equal(o Extraction) bool {
	return x.Form == o.Form && x.Path.Equal(o.Path) && x.T.Equal(o.T) && kernel.SameScalar(x.Against, o.Against) &&
		slices.EqualFunc(x.Entries, o.Entries, func(a, b Entry) bool { return a.Name == b.Name && a.Extraction.Equal(b.Extraction) })
}

// TellsApart reports whether a key or sign of a value of type t that is equal to that of
// a constant says that the value is the constant: as doubles several exact numbers are
// one.
func TellsApart(x Extraction, t vector.Type) bool {
	compared := x.T
	if x.Form == FormSign {
		compared = x.Against.Type
	}
	return !compared.IsFloat() || !t.IsNumeric() || t.IsFloat()
}

// Of writes the extraction from a value as SQL.
func (x Extraction) Of(value string) string {
	path := kernel.LiteralText(vector.StringScalar(x.Path.String()))
	switch x.Form {
	case FormText:
		return value + "->>" + path
	case FormTyped:
		return "VARIANT_GET(" + value + ", " + path + ", '" + x.T.String() + "')"
	case FormTry:
		return "TRY_VARIANT_GET(" + value + ", " + path + ", '" + x.T.String() + "')"
	case FormFails:
		return "VARIANT_FAILS(" + value + ", " + path + ", '" + x.T.String() + "')"
	}
	if len(x.Path) > 0 {
		value += "->" + path
	}
	switch {
	case x.Form == FormEntries:
		return "VARIANT_ENTRIES(" + value + x.ofEach() + ")"
	case x.Form == FormSign:
		return "VARIANT_COMPARE(" + value + ", " + kernel.LiteralText(x.Against) + ")"
	case x.Form == FormKey && x.T.Kind != vector.Null:
		return "VARIANT_KEY(" + value + ", '" + x.T.String() + "')"
	case x.Form == FormKey:
		return "VARIANT_KEY(" + value + ")"
	}
	return value
}
