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
	out := r.listed
	if r.files != nil {
		out = slices.Collect(maps.Values(r.files))
	}
	keys := make([]sortKey, len(out))
	begin := commonPrefix(out)
	for i, f := range out {
		keys[i] = sortKey{next(f.Path[begin:]), f}
	}
	slices.SortFunc(keys, func(a, b sortKey) int {
		if a.bytes != b.bytes {
			return cmp.Compare(a.bytes, b.bytes)
		}
		return cmp.Or(strings.Compare(a.file.Path, b.file.Path), strings.Compare(a.file.Key(), b.file.Key()))
	})
	out = make([]*action.File, 0, len(keys))
	for i, k := range keys {
		if i == 0 || keys[i-1].bytes != k.bytes || keys[i-1].file.Key() != k.file.Key() {
			out = append(out, k.file)
		}
	}
	return out
}

// sortKey is a file with the first bytes of its path that tell it from others: to look at the paths
// themselves takes most of the time.
type sortKey struct {
	bytes uint64
	file  *action.File
}

// commonPrefix is how many bytes the paths of all files begin with.
func commonPrefix(list []*action.File) int {
	if len(list) == 0 {
		return 0
	}
	first := list[0].Path
	n := len(first)
	for _, f := range list {
		n = min(n, len(f.Path))
		for !strings.HasPrefix(f.Path, first[:n]) {
			n--
		}
	}
	return n
}

// next is the first eight bytes of a text as a number, in the order of texts: no path has a zero byte.
func next(text string) uint64 {
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}
