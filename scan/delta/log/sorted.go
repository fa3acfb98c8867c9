package log

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/delta/action"
)

// sorted is the files by path; of a path with two deletion vectors, which no writer makes, by these. One that
// a checkpoint has twice is there once.
func (r *replay) sorted() []*action.File {
	list := r.listed
	if r.files != nil {
		list = slices.Collect(maps.Values(r.files))
	}
	keys := make([]sortKey, len(list))
	for i, f := range list {
		keys[i].file = f
	}
	twice := sortFrom(keys, 0)
	out := make([]*action.File, 0, len(keys))
	for i, k := range keys {
		if !twice || i == 0 || keys[i-1].file.Key() != k.file.Key() {
			out = append(out, k.file)
		}
	}
	return out
}

// sortKey is a file with some bytes of its path: to compare whole paths takes most of the time.
type sortKey struct {
	bytes uint64
	file  *action.File
}

// sortFrom sorts files whose paths are the same up to a place: by the next eight bytes that are not the
// same in all, then those that have the same there by the next ones. It reports whether a path may be there
// twice.
func sortFrom(keys []sortKey, begin int) (twice bool) {
	const few = 8
	if len(keys) <= few {
		return sortWhole(keys)
	}
	begin += commonPrefix(keys, begin)
	for i := range keys {
		keys[i].bytes = next(keys[i].file.Path[begin:])
	}
	slices.SortFunc(keys, func(a, b sortKey) int { return cmp.Compare(a.bytes, b.bytes) })
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].bytes == keys[0].bytes {
			n++
		}
		switch same := keys[:n]; {
		case n == 1:
		case same[0].bytes&0xff == 0: // the paths end there
			twice = sortWhole(same) || twice
		default:
			twice = sortFrom(same, begin+8) || twice
		}
		keys = keys[n:]
	}
	return twice
}

// sortWhole sorts files by all that is known of them: which of two with the same key comes first must not
// depend on which goroutine was faster.
func sortWhole(keys []sortKey) (twice bool) {
	slices.SortFunc(keys, func(x, y sortKey) int {
		if c := strings.Compare(x.file.Path, y.file.Path); c != 0 {
			return c
		}
		twice = true
		return compareRest(x.file, y.file)
	})
	return twice
}

// compareRest compares files of the same path.
func compareRest(a, b *action.File) int {
	c := cmp.Or(strings.Compare(a.Key(), b.Key()), cmp.Compare(b.Modified, a.Modified), cmp.Compare(a.Size, b.Size), strings.Compare(a.Stats, b.Stats))
	if c == 0 && a.Deletion != nil { // then b has one, too
		c = cmp.Or(cmp.Compare(a.Deletion.Rows, b.Deletion.Rows), cmp.Compare(a.Deletion.Size, b.Deletion.Size))
	}
	if c != 0 || a.Partition == b.Partition {
		return c
	}
	return cmp.Or(slices.Compare(a.Partition.Names, b.Partition.Names), slices.CompareFunc(a.Partition.Values, b.Partition.Values, func(v, w action.Value) int {
		switch {
		case v.Null == w.Null:
			return strings.Compare(v.Text, w.Text)
		case v.Null:
			return -1
		}
		return 1
	}))
}

// commonPrefix is how many bytes the paths of all files have in common from a place on.
func commonPrefix(keys []sortKey, begin int) int {
	first := keys[0].file.Path[begin:]
	n := len(first)
	for _, k := range keys {
		path := k.file.Path[begin:]
		n = min(n, len(path))
		for !strings.HasPrefix(path, first[:n]) {
			n--
		}
	}
	return n
}

// next is the first eight bytes of a text as a number, in the order of texts: no path has a zero byte.
func next(text string) uint64 {
	if len(text) >= 8 {
		return uint64(text[0])<<56 | uint64(text[1])<<48 | uint64(text[2])<<40 | uint64(text[3])<<32 | uint64(text[4])<<24 | uint64(text[5])<<16 | uint64(text[6])<<8 | uint64(text[7])
	}
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}
