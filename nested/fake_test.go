package nested

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/column"
	"github.com/parquetsql/parquetsql/vector"
)

// striped is a leaf as a file has it.
type striped struct {
	node     *fileformat.Node
	def, rep []uint8
	ints     []int64
	texts    []string
}

// stripe writes records as section 4.2 of the Dremel paper does: it descends the
// tree for each value, which the readers here do not.
//
// A record is a tree: a group is an []any with one element per child, a repeated
// field an []any with one element per value, an absent field is nil.
func stripe(s *fileformat.Schema, records []any) []*striped {
	leaves := make([]*striped, len(s.Leaves))
	for i, n := range s.Leaves {
		leaves[i] = &striped{node: n}
	}
	var write func(n *fileformat.Node, v any, rep, def int)
	var absent func(n *fileformat.Node, rep, def int)
	absent = func(n *fileformat.Node, rep, def int) {
		if n.IsLeaf() {
			l := leaves[n.Leaf]
			l.rep, l.def = append(l.rep, uint8(rep)), append(l.def, uint8(def))
		}
		for _, c := range n.Children {
			absent(c, rep, def)
		}
	}
	write = func(n *fileformat.Node, v any, rep, def int) {
		if n.IsLeaf() {
			absent(n, rep, def)
			switch v := v.(type) {
			case int64:
				leaves[n.Leaf].ints = append(leaves[n.Leaf].ints, v)
			case string:
				leaves[n.Leaf].texts = append(leaves[n.Leaf].texts, v)
			default:
				panic(fmt.Sprintf("%s: %v", n.Dotted(), v))
			}
			return
		}
		for i, c := range n.Children {
			cv := v.([]any)[i]
			switch {
			case c.Repetition == fileformat.Required:
				write(c, cv, rep, def)
			case cv == nil:
				absent(c, rep, def)
			case c.Repetition == fileformat.Optional:
				write(c, cv, rep, def+1)
			default:
				if len(cv.([]any)) == 0 {
					absent(c, rep, def)
				}
				for j, e := range cv.([]any) {
					r := c.MaxRep
					if j == 0 {
						r = rep
					}
					write(c, e, r, def+1)
				}
			}
		}
	}
	for _, r := range records {
		write(s.Root, r, 0, 0)
	}
	return leaves
}

// fakeLeaf reads a striped leaf as column.Reader would.
type fakeLeaf struct {
	*striped
	random *rand.Rand // nil: batches have the requested size
	flat   bool
	dict   *column.Dictionary
	codes  []int32
	entry  int
	value  int
	row    int64
}

func (f *fakeLeaf) Row() int64          { return f.row }
func (f *fakeLeaf) Stats() column.Stats { return column.Stats{} }
func (f *fakeLeaf) Close()              {}
func (f *fakeLeaf) OnlyLevels()         {}

func (f *fakeLeaf) Skip(rows int64) error {
	for rows > 0 {
		b, err := f.Read(int(rows))
		if err != nil || b.Rows == 0 {
			return err
		}
		rows -= int64(b.Rows)
	}
	return nil
}

func (f *fakeLeaf) Read(rows int) (*column.Batch, error) {
	if f.random != nil && rows > 1 {
		rows = 1 + f.random.IntN(rows)
	}
	b := &column.Batch{}
	from, value := f.entry, f.value
	for ; f.entry < len(f.def); f.entry++ {
		if f.rep[f.entry] == 0 {
			if b.Rows == rows {
				break
			}
			b.Rows++
		}
		if int(f.def[f.entry]) == f.node.MaxDef {
			f.value++
		}
	}
	f.row += int64(b.Rows)
	b.Count, b.NonNull = f.entry-from, f.value-value
	b.Nulls = b.Count - b.NonNull
	if f.node.MaxRep > 0 {
		b.Rep = f.rep[from:f.entry]
	}
	if f.node.MaxDef > 0 && !f.flat {
		b.Def = f.def[from:f.entry]
	}
	if f.flat && b.Nulls > 0 {
		valid := make(vector.Validity, (b.Count+63)/64)
		for i, d := range f.def[from:f.entry] {
			if int(d) == f.node.MaxDef {
				valid.Set(i)
			}
		}
		b.Valid = valid
	}
	switch {
	case f.dict != nil:
		b.Dict, b.Codes = f.dict, f.codes[value:f.value]
	case f.node.Physical == fileformat.Int32:
		for _, v := range f.ints[value:f.value] {
			b.Values.Int32 = append(b.Values.Int32, int32(v))
		}
	case f.node.Physical == fileformat.Int64:
		b.Values.Int64 = f.ints[value:f.value]
	default:
		b.Values.Bytes = f.texts[value:f.value]
	}
	return b, nil
}

// ReadSelected reads the selected rows one by one, or some of them.
func (f *fakeLeaf) ReadSelected(rows []int64) (*column.Batch, error) {
	wanted := len(rows)
	if f.random != nil {
		wanted = 1 + f.random.IntN(wanted)
	}
	all := &column.Batch{}
	for i, row := range rows {
		if err := f.Skip(row - f.row); err != nil {
			return nil, err
		}
		if i == wanted {
			break
		}
		b, err := f.Read(1)
		if err != nil {
			return nil, err
		}
		appendRow(all, b)
	}
	return all, nil
}

// appendRow appends a batch of one row.
func appendRow(all, b *column.Batch) {
	if b.Valid != nil || all.Valid != nil {
		for len(all.Valid) <= all.Rows/64 {
			all.Valid = append(all.Valid, ^uint64(0))
		}
		if b.Valid != nil {
			vector.Validity(all.Valid).Clear(all.Rows)
		}
	}
	all.Rows += b.Rows
	all.Count += b.Count
	all.Nulls += b.Nulls
	all.NonNull += b.NonNull
	all.Rep, all.Def = append(all.Rep, b.Rep...), append(all.Def, b.Def...)
	all.Dict, all.Codes = b.Dict, append(all.Codes, b.Codes...)
	v := &all.Values
	v.Int32, v.Int64, v.Bytes = append(v.Int32, b.Values.Int32...), append(v.Int64, b.Values.Int64...), append(v.Bytes, b.Values.Bytes...)
}

// useDictionary replaces the values of the leaf by codes of a dictionary.
func (f *fakeLeaf) useDictionary() {
	f.dict = &column.Dictionary{}
	codes := map[any]int32{}
	add := func(v any, enter func()) {
		code, ok := codes[v]
		if !ok {
			code = int32(len(codes))
			codes[v] = code
			f.dict.Len++
			enter()
		}
		f.codes = append(f.codes, code)
	}
	values := &f.dict.Values
	for _, v := range f.ints {
		add(v, func() {
			if f.node.Physical == fileformat.Int32 {
				values.Int32 = append(values.Int32, int32(v))
			} else {
				values.Int64 = append(values.Int64, v)
			}
		})
	}
	for _, v := range f.texts {
		add(v, func() { values.Bytes = append(values.Bytes, v) })
	}
}

// table is a schema's records, readable column by column.
type table struct {
	t       *testing.T
	columns map[string]Column
	leaves  []*striped
	random  *rand.Rand
}

func newTable(t *testing.T, s *fileformat.Schema, records []any) *table {
	t.Helper()
	columns, err := Columns(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := &table{t: t, columns: map[string]Column{}, leaves: stripe(s, records)}
	for _, c := range columns {
		out.columns[c.Name] = c
	}
	return out
}

func (tb *table) reader(name string, fields []vector.Path) *Reader {
	tb.t.Helper()
	c, ok := tb.columns[name]
	if !ok {
		tb.t.Fatalf("no column %q", name)
	}
	r, err := newReader(c, fields, Options{}, func(leaf int, levels bool) (leafReader, error) {
		f := &fakeLeaf{striped: tb.leaves[leaf], flat: !levels && tb.leaves[leaf].node.MaxRep == 0, random: tb.random}
		if tb.random != nil && tb.random.IntN(2) == 0 {
			f.useDictionary()
		}
		return f, nil
	})
	if err != nil {
		tb.t.Fatal(err)
	}
	return r
}

// randomRows are random rows from a given one on, ascending.
func randomRows(r *rand.Rand, from, total int64) (rows []int64) {
	step := 1 + r.Int64N(20)
	for row := from + r.Int64N(step); row < total && len(rows) < 50; row += 1 + r.Int64N(step) {
		rows = append(rows, row)
	}
	return rows
}

// checkSome alternates Read and ReadSelected on a column and compares the rows with
// those that were read at once.
func (tb *table) checkSome(name string, all []string) {
	tb.t.Helper()
	r := tb.reader(name, nil)
	defer r.Close()
	var v vector.Vector
	for r.Row() < int64(len(all)) {
		if tb.random.IntN(3) == 0 {
			if err := r.Skip(tb.random.Int64N(min(20, int64(len(all))-r.Row()+1))); err != nil {
				tb.t.Fatal(err)
			}
		}
		rows := randomRows(tb.random, r.Row(), int64(len(all)))
		var n int
		var err error
		if tb.random.IntN(3) == 0 {
			rows = nil
			for row := r.Row(); row < min(r.Row()+30, int64(len(all))); row++ {
				rows = append(rows, row)
			}
			n, err = r.Read(len(rows), &v)
		} else {
			n, err = r.ReadSelected(rows, &v)
		}
		if err != nil {
			tb.t.Fatalf("%s: %v", name, err)
		}
		for len(rows) > 0 {
			if n == 0 || v.Len != n || !v.Type.Equal(tb.columns[name].Type) {
				tb.t.Fatalf("%s: a vector of %d %v, want %d %v", name, v.Len, v.Type, n, tb.columns[name].Type)
			}
			for i, row := range rows[:n] {
				if got := string(AppendJSON(nil, &v, i)); got != all[row] {
					tb.t.Fatalf("%s: row %d is %s, want %s", name, row, got, all[row])
				}
			}
			// Of the rows that are left, only the selected ones can be read.
			if rows = rows[n:]; len(rows) == 0 {
				break
			}
			if r.Row() > rows[0] {
				tb.t.Fatalf("%s: at row %d, beyond row %d", name, r.Row(), rows[0])
			}
			if n, err = r.ReadSelected(rows, &v); err != nil {
				tb.t.Fatalf("%s: %v", name, err)
			}
		}
	}
	if n, err := r.ReadSelected(nil, &v); n != 0 || err != nil {
		tb.t.Fatalf("%s: %d rows of none, %v", name, n, err)
	}
}

// json reads a whole column, in batches of up to rows rows.
func (tb *table) json(name string, fields []vector.Path, rows int) (out []string) {
	tb.t.Helper()
	r := tb.reader(name, fields)
	defer r.Close()
	var v vector.Vector
	for {
		if r.Row() != int64(len(out)) {
			tb.t.Fatalf("%s: at row %d after %d", name, r.Row(), len(out))
		}
		n, err := r.Read(rows, &v)
		if err != nil {
			tb.t.Fatalf("%s: %v", name, err)
		}
		if n == 0 {
			return out
		}
		if v.Len != n || !v.Type.Equal(tb.columns[name].Type) {
			tb.t.Fatalf("%s: a vector of %d %v, want %d %v", name, v.Len, v.Type, n, tb.columns[name].Type)
		}
		for i := range n {
			out = append(out, string(AppendJSON(nil, &v, i)))
		}
	}
}

// path reads the steps of a path that blanks separate: * is each element, <key>
// and <value> are those of a MAP, all else is a field.
func path(text string) (p vector.Path) {
	kinds := map[string]vector.StepKind{"*": vector.ElementStep, "<key>": vector.KeyStep, "<value>": vector.ValueStep}
	for _, word := range strings.Fields(text) {
		if kind, ok := kinds[word]; ok {
			p = append(p, vector.Step{Kind: kind})
		} else {
			p = append(p, vector.Step{Name: word})
		}
	}
	return p
}

func paths(texts ...string) []vector.Path {
	list := []vector.Path{}
	for _, text := range texts {
		list = append(list, path(text))
	}
	return list
}
