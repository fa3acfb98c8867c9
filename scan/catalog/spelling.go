package catalog

import (
	"strings"

	"github.com/parquetsql/parquetsql/internal/fold"
)

// Writers of a table's files do not always agree on upper and lower case. Names that differ
// only in case are one name, unless one file has both: then, in all files of the table, they
// are different names. The first file's spelling is shown. This goes for columns, for the
// groups around them, for the fields of structs at any depth, and for the keys of partitions.

// spelling says which names of a table's files, or of the types of a struct in them, are one. A
// name is a path: a column has those of the groups around it in front.
type spelling struct {
	keys  [][]string        // by file and path: equal for what is one name
	shown map[string]string // by key: how the name is written
}

// newSpelling compares the paths of files.
func newSpelling(files [][][]string) *spelling {
	s := &spelling{keys: make([][]string, len(files)), shown: map[string]string{}}
	for f, paths := range files {
		s.keys[f] = make([]string, len(paths))
	}
	for depth, more := 0, true; more; depth++ {
		more = s.extend(files, depth)
	}
	return s
}

// extend adds the names of one depth to the keys of what is around them; it is false if there
// are none.
func (s *spelling) extend(files [][][]string, depth int) (more bool) {
	apart := map[string]bool{}
	for f, paths := range files {
		spelled := map[string]string{}
		for i, p := range paths {
			if len(p) <= depth {
				continue
			}
			more = true
			key := inner(s.keys[f][i], depth, fold.Name(p[depth]))
			if other, ok := spelled[key]; ok && other != p[depth] {
				apart[key] = true
			}
			spelled[key] = p[depth]
		}
	}
	for f, paths := range files {
		for i, p := range paths {
			if len(p) <= depth {
				continue
			}
			around := s.keys[f][i]
			key := inner(around, depth, fold.Name(p[depth]))
			if apart[key] {
				key = inner(around, depth, p[depth])
			}
			s.keys[f][i] = key
			if _, known := s.shown[key]; !known {
				s.shown[key] = inner(s.shown[around], depth, p[depth])
			}
		}
	}
	return more
}

// inner is a name within so many groups.
func inner(groups string, depth int, name string) string {
	if depth == 0 {
		return name
	}
	return groups + "." + name
}

// placeOf finds a column by its name, exactly or else without regard to case where that is
// unique.
func placeOf(names map[string]int, name string) (at int, ok bool) {
	if at, ok = names[name]; ok {
		return at, true
	}
	for other, i := range names {
		if strings.EqualFold(other, name) {
			if ok {
				return 0, false
			}
			at, ok = i, true
		}
	}
	return at, ok
}
