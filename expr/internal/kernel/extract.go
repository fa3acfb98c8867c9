package kernel

import (
	"errors"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/variant"
	"github.com/parquetsql/parquetsql/vector"
)

// Locator finds what a path leads to in VARIANTs of one type: canonical ones, or those
// of a file. It is for one goroutine.
type Locator struct {
	path   vector.Path
	layout *variant.Layout // nil: canonical
	writer variant.Writer
	rest   vector.Vector
}

// NewLocator is for VARIANTs that an expression makes. They are canonical.
func NewLocator(path vector.Path) *Locator { return &Locator{path: path} }

// NewFileLocator is for VARIANTs of a file, which are checked. It fails if VARIANTs
// cannot have the type.
func NewFileLocator(t vector.Type, path vector.Path) (*Locator, error) {
	layout, err := variant.NewLayout(t)
	return &Locator{path: path, layout: layout}, err
}

// Locate finds the values of the listed rows.
func (l *Locator) Locate(v *vector.Vector, rows []int32, w variant.Wanted) (variant.Located, error) {
	switch {
	case l.layout != nil && len(l.path) == 0 && len(v.Type.Fields) < 3 && w == variant.Values: // not shredded
		return variant.Located{Rest: &l.rest}, Damaged(l.layout.Canonical(v, &l.rest))
	case l.layout != nil:
		found, err := l.layout.Locate(v, rows, l.path, w)
		return found, Damaged(err)
	case len(l.path) == 0:
		return variant.Located{Rest: v}, nil
	}
	variant.Extract(v, rows, l.path, &l.rest)
	return variant.Located{Rest: &l.rest}, nil
}

// Visit is Locate, but the values of Located.Rest are given to f instead, row by row.
func (l *Locator) Visit(v *vector.Vector, rows []int32, f func(row int, x *variant.Value)) (variant.Located, error) {
	if l.layout != nil {
		found, err := l.layout.Visit(v, rows, l.path, f)
		return found, Damaged(err)
	}
	for _, row := range Listed(rows, v.Len) {
		x, ok := variant.Get(v, int(row))
		if ok {
			x, ok, _ = x.At(l.path) // a canonical vector has no errors
		}
		if ok {
			f(int(row), &x)
		}
	}
	return variant.Located{}, nil
}

// Damaged is the error of a Variant that a file has.
func Damaged(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, variant.ErrLongTexts):
		return quota.ErrBatchTooLong
	}
	return &errs.CorruptError{RowGroup: -1, Offset: -1, Err: err}
}

// Values is the located values of n rows as canonical VARIANTs.
func (l *Locator) Values(found variant.Located, n int, out *vector.Vector) (*vector.Vector, error) {
	switch {
	case found.Typed != nil:
		return out, l.writer.Merge(found, n, out)
	case found.Rest != nil:
		return found.Rest, nil
	}
	*out = *vector.NewConstant(vector.NullOf(variant.Type()), n)
	return out, nil
}
