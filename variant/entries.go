package variant

import (
	"errors"
	"math"

	"github.com/parquetsql/parquetsql/vector"
)

// Entries are the elements of arrays and the fields of objects, in each row of a vector.
type Entries struct {
	// Row i has the entries from Offsets[i] to Offsets[i+1]; it is not Valid where the
	// value is neither an array nor an object.
	Offsets []int32
	Valid   vector.Validity

	// Entry k is row Picks[k].Row of the vector of VARIANTs Sources[Picks[k].Source]; with
	// nil Picks it is row k of the only source that has rows. Sources[0] is canonical,
	// the type of Sources[i] is that of EntryTypes.
	Sources []*vector.Vector
	Picks   []vector.Pick
	Direct  int // the source of nil Picks

	// Names has the names of the fields. It is nil where all entries are elements, else
	// Elements lists those that are.
	Names    []string
	Elements []int32
}

// EntryTypes are the types of the vectors that have the entries of the values that path
// leads to: canonical VARIANTs and then, of an array that is shredded, its elements, of
// an object its shredded fields, as if each were a Variant of its own.
func (l *Layout) EntryTypes(path vector.Path) []vector.Type {
	types := []vector.Type{Type()}
	n, _, rest, found := l.root.follow(path)
	if !found || len(rest) > 0 {
		return types
	}
	switch n.kind {
	case asArray:
		types = append(types, n.element.variantType())
	case asObject:
		for i := range n.fields {
			types = append(types, n.fields[i].node.variantType())
		}
	}
	return types
}

// variantType is the type of a node's values as Variants.
func (n *node) variantType() vector.Type {
	if n.typed < 0 {
		return vector.VariantType()
	}
	return vector.VariantType(vector.Field{Name: typedName, Type: n.typ, Nullable: true})
}

// variants is the values of a node as Variants: group is the columns of the node, metadata
// that of each of its rows. No row is NULL: where the group has no value there is neither
// value nor typed_value.
func (n *node) variants(group, metadata *vector.Vector) (*vector.Vector, error) {
	group, err := group.Flatten(nil)
	if err != nil {
		return nil, err
	}
	out := &vector.Vector{Type: n.variantType(), Len: group.Len, Children: []*vector.Vector{metadata}}
	value := vector.NewConstant(vector.NullOf(vector.Of(vector.Blob)), group.Len)
	if n.value >= 0 {
		if value, err = within(group.Children[n.value], group.Valid); err != nil {
			return nil, err
		}
	}
	out.Children = append(out.Children, value)
	if n.typed >= 0 {
		typed, err := within(group.Children[n.typed], group.Valid)
		if err != nil {
			return nil, err
		}
		out.Children = append(out.Children, typed)
	}
	return out, nil
}

// within is a view of a column with NULL in the rows of a group that are not valid.
func within(v *vector.Vector, valid vector.Validity) (*vector.Vector, error) {
	if valid == nil || v.Type.Kind == vector.Null || v.Form == vector.Constant && v.IsNull(0) {
		return v, nil
	}
	if v.Form == vector.Constant {
		var err error
		if v, err = v.Flatten(nil); err != nil {
			return nil, err
		}
	}
	out := *v
	out.Valid = vector.And(v.Valid, valid)
	return &out, nil
}

// Lister finds entries. What it returns is valid until the next call.
type Lister struct {
	out      Entries
	writer   Writer
	rest     vector.Vector
	picks    []vector.Pick
	names    []string
	elements []int32 // without names
}

// ErrManyEntries is that the entries of several rows together take much memory; those of
// fewer rows can be listed.
var ErrManyEntries = errors.New("the arrays and objects of a batch have very many entries")

// maxEntries is the number of entries that several rows may have.
const maxEntries = 1 << 20

// begin starts the entries of n rows.
func (l *Lister) begin(n int) {
	l.writer.Reset()
	l.picks, l.names, l.elements = l.picks[:0], l.names[:0], l.elements[:0]
	l.out = Entries{Offsets: append(make([]int32, 0, n+1), 0), Valid: vector.NewValidity(n)}
	clear(l.out.Valid)
}

// row ends the rows before a row, which have the entries so far.
func (l *Lister) row(row int) error {
	if n := len(l.picks); n > math.MaxInt32 {
		return vector.ErrTooLong
	} else if n > maxEntries && int(l.out.Offsets[len(l.out.Offsets)-1]) > 0 {
		return ErrManyEntries
	}
	for len(l.out.Offsets) <= row {
		l.out.Offsets = append(l.out.Offsets, int32(len(l.picks)))
	}
	return nil
}

// field adds a field of a source, or an element without a name.
func (l *Lister) field(name string, source, row int32) {
	l.picks, l.names = append(l.picks, vector.Pick{Source: source, Row: row}), append(l.names, name)
}

func (l *Lister) element(source, row int32) {
	l.elements = append(l.elements, int32(len(l.picks)))
	l.field("", source, row)
}

// encoded makes a row of the first source of a Variant-encoded value, which is checked.
func (l *Lister) encoded(names *Metadata, d raw) int32 {
	if k := d.kind(); k != Object && k != Array {
		names = &emptyMetadata
	}
	l.writer.append(names.bytes, string(d))
	return int32(l.writer.Len() - 1)
}

// value adds the entries of a Variant-encoded value, which is checked; false if it has none.
func (l *Lister) value(names *Metadata, d raw) (bool, error) {
	k := d.kind()
	if k != Object && k != Array {
		return false, nil
	}
	v := Value{*names, d}
	for i := range v.Len() {
		name, e, err := v.Entry(i)
		if err != nil {
			return false, err
		}
		if at := l.encoded(names, e.data); k == Object {
			l.field(name, 0, at)
		} else {
			l.element(0, at)
		}
	}
	return true, nil
}

// finish ends the entries of n rows. others are the sources of shredded entries.
func (l *Lister) finish(n int, others []*vector.Vector) (*Entries, error) {
	if err := l.row(n); err != nil {
		return nil, err
	}
	l.writer.Finish(&l.rest)
	l.out.Sources = append([]*vector.Vector{&l.rest}, others...)
	if len(others) > 0 {
		l.out.Picks = l.picks
	}
	if len(l.elements) < len(l.names) {
		l.out.Names, l.out.Elements = l.names, l.elements
	}
	return &l.out, nil
}

// Canonical lists the entries of what path leads to in the listed rows of a canonical
// vector, or in all rows if rows is nil.
func (l *Lister) Canonical(v *vector.Vector, rows []int32, path vector.Path) (*Entries, error) {
	l.begin(v.Len)
	for _, row := range listed(v.Len, rows) {
		x, ok := Get(v, int(row))
		if ok {
			x, ok, _ = x.At(path) // a canonical vector has no errors
		}
		if !ok {
			continue
		}
		if err := l.row(int(row)); err != nil {
			return nil, err
		}
		ok, err := l.value(&x.names, x.data)
		if err != nil {
			return nil, err
		}
		if ok {
			l.out.Valid.Set(int(row))
		}
	}
	return l.finish(v.Len, nil)
}
