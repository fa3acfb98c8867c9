package variant

import (
	"github.com/parquetsql/parquetsql/vector"
)

// The children of a VARIANT vector.
const (
	metadataChild = iota
	valueChild
	typedChild
)

// Type is the type of canonical vectors.
func Type() vector.Type { return vector.VariantType() }

// Get is the Variant in a row of a canonical vector of any form; ok is false for
// NULL.
func Get(v *vector.Vector, row int) (x Value, ok bool) {
	if v.IsNull(row) {
		return Value{}, false
	}
	v, row = stored(v, row)
	x, err := Parse(textAt(v.Children[metadataChild], row), textAt(v.Children[valueChild], row))
	return x, err == nil
}

// stored is where the value of a row is: the vector and the position in it.
func stored(v *vector.Vector, row int) (*vector.Vector, int) {
	switch v.Form {
	case vector.Constant:
		return v, 0
	case vector.Dictionary:
		return v.Dict, int(v.Codes[row])
	}
	return v, row
}

// textAt is the string in a row of any form, which is not NULL.
func textAt(v *vector.Vector, row int) string {
	v, row = stored(v, row)
	return v.Str[row]
}

// Writer makes a canonical vector, row by row. Values that are parts of others are
// not copied; those of the Builder get memory together.
type Writer struct {
	// Builder is for the next row: Reset, values, and then AppendBuilt.
	Builder Builder
	// Coming, unless it is nil, is told of the bytes of a row that is built before they are
	// kept. Its error is that of AppendBuilt.
	Coming func(bytes int64) error

	metadata []string
	values   []string
	nulls    []int32
	built    []builtRow
	arena    []byte
	last     string // the metadata of the last built row
}

// builtRow is a row whose value is in the arena.
type builtRow struct{ row, start, end int }

// mostArena is for how many bytes there is memory before they come.
const mostArena = 1 << 20

// Reset begins a new vector.
func (w *Writer) Reset() {
	clear(w.metadata)
	clear(w.values)
	w.metadata, w.values, w.nulls, w.built = w.metadata[:0], w.values[:0], w.nulls[:0], w.built[:0]
	w.arena = make([]byte, 0, min(len(w.arena)+len(w.arena)/8, mostArena)) // the next batch is mostly about as large
	w.last = ""
}

// Len is the number of rows so far.
func (w *Writer) Len() int { return len(w.values) }

// AppendNull appends a NULL row.
func (w *Writer) AppendNull() {
	w.nulls = append(w.nulls, int32(len(w.values)))
	w.append("", "")
}

// pad appends NULL rows up to row n.
func (w *Writer) pad(n int) {
	for len(w.values) < n {
		w.AppendNull()
	}
}

// Append appends a value, which refers to the same memory.
func (w *Writer) Append(v *Value) { w.append(v.names.bytes, string(v.data)) }

func (w *Writer) append(metadata, value string) {
	w.metadata = append(w.metadata, metadata)
	w.values = append(w.values, value)
}

// AppendBuilt appends what the Builder has.
func (w *Writer) AppendBuilt() error {
	metadata, value, err := w.Builder.Finish()
	if err != nil {
		return err
	}
	coming := len(value)
	if metadata == w.last {
		metadata = w.last // rows with the same names share their memory
	} else {
		coming += len(metadata)
	}
	if w.Coming != nil {
		if err := w.Coming(int64(coming)); err != nil {
			return err
		}
	}
	w.last = metadata
	w.built = append(w.built, builtRow{len(w.values), len(w.arena), len(w.arena) + len(value)})
	w.arena = append(w.arena, value...)
	w.append(metadata, "")
	return nil
}

// Finish makes out the rows. The strings are valid as long as they are referenced.
func (w *Writer) Finish(out *vector.Vector) {
	arena := string(w.arena)
	for _, b := range w.built {
		w.values[b.row] = arena[b.start:b.end]
	}
	out.Reset(Type(), len(w.values))
	copy(out.Children[metadataChild].Str, w.metadata)
	copy(out.Children[valueChild].Str, w.values)
	for _, row := range w.nulls {
		out.SetNull(int(row))
		out.Children[valueChild].SetNull(int(row))
	}
}
