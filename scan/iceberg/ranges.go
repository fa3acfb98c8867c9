package iceberg

import (
	"iter"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/vector"
)

// ranges is position delete files by the paths that they may name, without schemes and hosts. Those of
// many data files are found without a look at all of them. The rows of a file say which paths it names.
type ranges struct {
	any   []*manifest.File // whose bounds say nothing
	known []pathRange      // ascending by low
}

// pathRange is the paths from low to before end.
type pathRange struct {
	low, end string
	file     *manifest.File
	reach    string // the greatest end up to here
}

// add adds a file. Its bounds count only where both are there, with the same scheme and host, and in
// order: some writers have them the wrong way round. An upper bound that was cut is one of what begins
// with it.
func (r *ranges) add(f *manifest.File) {
	if c := f.Column(pathID); c != nil && c.Lower != nil && c.Upper != nil {
		lower, upper := canonical(string(c.Lower)), canonical(string(c.Upper))
		low, high := bare(lower), bare(upper)
		sameHost := strings.TrimSuffix(lower, low) == strings.TrimSuffix(upper, high)
		if end, ok := vector.TextAfter(high); ok && sameHost && low <= high && strings.HasPrefix(low, "/") {
			r.known = append(r.known, pathRange{low: low, end: end, file: f})
			return
		}
	}
	r.any = append(r.any, f)
}

func (r *ranges) sort() {
	slices.SortStableFunc(r.known, func(a, b pathRange) int { return strings.Compare(a.low, b.low) })
	reach := ""
	for i := range r.known {
		reach = max(reach, r.known[i].end)
		r.known[i].reach = reach
	}
}

// of are the files that may name a data file.
func (r *ranges) of(path string) iter.Seq[*manifest.File] {
	return func(yield func(*manifest.File) bool) {
		if r == nil {
			return
		}
		for _, f := range r.any {
			if !yield(f) {
				return
			}
		}
		path := bare(path)
		end, _ := slices.BinarySearchFunc(r.known, path, func(k pathRange, path string) int {
			if k.low <= path {
				return -1
			}
			return 1
		})
		for _, k := range slices.Backward(r.known[:end]) {
			if k.reach <= path || path < k.end && !yield(k.file) {
				return
			}
		}
	}
}
