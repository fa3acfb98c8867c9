package convert

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// fieldAt is the field of a file's STRUCT that has the values of the n-th field of a name, from
// 0, in the table's: the n-th of the name or, if the file does not have the name, of those that
// differ only in case and are no other fields of the table. It is -1 if there is none.
func fieldAt(file, table vector.Type, name string, n int) int {
	if at, any := nth(file, n, func(o string) bool { return o == name }); any {
		return at
	}
	at, _ := nth(file, n, func(o string) bool {
		return strings.EqualFold(o, name) && !slices.ContainsFunc(table.Fields, func(f vector.Field) bool { return f.Name == o })
	})
	return at
}

// nth is the n-th field whose name is wanted, -1 if there are fewer, and whether there is any.
func nth(t vector.Type, n int, wanted func(string) bool) (at int, any bool) {
	for i, f := range t.Fields {
		if wanted(f.Name) {
			if any = true; n == 0 {
				return i, true
			}
			n--
		}
	}
	return -1, any
}

// Paths are paths into a table's type as paths into the file's, whose fields may be spelled
// otherwise.
func Paths(file, table vector.Type, paths []vector.Path) []vector.Path {
	if paths == nil || file.Equal(table) {
		return paths
	}
	out := make([]vector.Path, len(paths))
	for i, p := range paths {
		out[i] = Path(file, table, p)
	}
	return out
}

// Path is one of Paths.
func Path(file, table vector.Type, p vector.Path) vector.Path {
	out := slices.Clone(p)
	for i, step := range p {
		if file.Kind != table.Kind || !file.IsNested() || len(file.Fields) == 0 || len(table.Fields) == 0 {
			break
		}
		inFile, inTable := 0, 0 // of lists, and the keys of maps
		switch {
		case file.Kind == vector.Struct:
			inFile = fieldAt(file, table, step.Name, 0)
			inTable = slices.IndexFunc(table.Fields, func(f vector.Field) bool { return f.Name == step.Name })
			if inFile < 0 || inTable < 0 {
				return out
			}
			out[i].Name = file.Fields[inFile].Name
		case file.Kind == vector.Map && step.Kind != vector.KeyStep:
			inFile, inTable = len(file.Fields)-1, len(table.Fields)-1
		}
		file, table = file.Fields[inFile].Type, table.Fields[inTable].Type
	}
	return out
}
