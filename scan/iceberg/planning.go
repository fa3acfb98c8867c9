package iceberg

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/internal/parallel"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/vector"
)

// Scan planning: which manifests of data files have to be read is decided by what the manifest list
// says of their partitions. Of those that were read the files stay with the version.

// planned is what a version has of the manifests of its data files.
type planned struct {
	manifests []int                      // their places in the snapshot
	deletes   []int                      // those of delete files
	known     []func(int) *probe.Summary // by manifests: what the list says of a column; nil: nothing

	mu       sync.Mutex
	lists    [][]*files.File // by manifests; nil: not read
	unread   int
	bytes    int64 // of the files, guessed where they are not read
	together map[manifestColumn]*probe.Summary
	sorted   []*files.File // all files by path, once all are read
	of       []int32       // by sorted: which of manifests
}

func (v *Version) newPlanned() *planned {
	out := &planned{together: map[manifestColumn]*probe.Summary{}}
	specs := map[int64][]source{}
	for i, m := range v.Manifests {
		if m.Deletes {
			if m.AddedFiles != 0 || m.ExistingFiles != 0 {
				out.deletes = append(out.deletes, i)
			}
			continue
		}
		sources, ok := specs[m.Spec]
		if spec := v.pinned.Specs[int(max(0, m.Spec))]; !ok && spec != nil {
			sources = v.sourcesOf(spec)
			specs[m.Spec] = sources
		}
		out.manifests = append(out.manifests, i)
		out.known = append(out.known, v.summaryOf(m, sources))
		out.bytes += v.guess(m)
	}
	out.lists, out.unread = make([][]*files.File, len(out.manifests)), len(out.manifests)
	return out
}

// summaryOf is what a manifest list says of the columns of the rows of a manifest; nil: nothing.
func (v *Version) summaryOf(m *manifest.Manifest, sources []source) func(int) *probe.Summary {
	spec := v.pinned.Specs[int(max(0, m.Spec))]
	if len(sources) == 0 || spec == nil || len(m.Partitions) != len(spec.Fields) {
		return nil
	}
	return func(column int) *probe.Summary {
		var out *probe.Summary
		for _, s := range sources {
			if s.at != column {
				continue
			}
			if out == nil {
				out = &probe.Summary{Rows: 1, Nulls: -1, MayHaveNaN: s.typ.IsFloat()}
			}
			s.narrowMany(out, m.Partitions[s.field])
		}
		return out
	}
}

// narrowMany adds what is known of the partition values of several files.
func (s *source) narrowMany(out *probe.Summary, of manifest.Summary) {
	if !of.Null {
		out.Nulls = 0
	}
	if s.transform.Kind == partition.Identity && !of.NaN {
		out.MayHaveNaN = false
	}
	low, high := bounds(of.Lower, of.Upper, s.transform.Result(s.typ))
	if low == nil || high == nil || s.typ.Kind == vector.UUID && low.Compare(high) != 0 { // some writers compare UUIDs as two signed numbers
		return
	}
	if s.transform.Kind == partition.Bucket {
		out.Bloom = func(v vector.Scalar) bool {
			bucket, ok := s.transform.BucketOf(v)
			return !ok || low.I64 <= bucket && bucket <= high.I64
		}
		return
	}
	r := s.transform.Of(s.typ, *low, *high)
	out.Min, out.Max = tighter(out.Min, r.Min, 1), tighter(out.Max, r.Max, -1)
}

// find implements files.Set.Find.
func (v *Version) find(ctx context.Context, w files.Wanted) (out files.Found, err error) {
	p := v.planned
	keep := make([]bool, len(p.manifests))
	for n, i := range p.manifests {
		m, verdict := v.Manifests[i], probe.All
		if w.Test != nil {
			verdict = probe.Some
			if known := v.knownOf(n); known != nil {
				verdict = w.Test(known)
			}
		}
		listed := int(max(0, m.AddedFiles) + max(0, m.ExistingFiles))
		if verdict == probe.None {
			out.Omitted += listed
			continue
		}
		rows, ok := v.countOf(n, m, out.Rows)
		if keep[n] = verdict != probe.All || !w.Count || !ok; !keep[n] {
			out.Counted, out.Rows = out.Counted+listed, rows
		}
	}
	if err := v.load(ctx, keep); err != nil {
		return files.Found{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sort()
	switch {
	case p.sorted == nil:
		for n, own := range p.lists {
			if keep[n] {
				out.Files = append(out.Files, own...)
			}
		}
		slices.SortStableFunc(out.Files, byPath)
	case !slices.Contains(keep, false):
		out.Files = p.sorted
	default:
		for i, f := range p.sorted {
			if keep[p.of[i]] {
				out.Files = append(out.Files, f)
			}
		}
	}
	return out, nil
}

// countOf is how many rows the list says that a manifest has, after those of others; false where it does
// not, where some may be deleted, or where the manifest was read, which knows better.
func (v *Version) countOf(n int, m *manifest.Manifest, others int64) (int64, bool) {
	p := v.planned
	p.mu.Lock()
	read := p.lists[n] != nil
	p.mu.Unlock()
	rows, ok := m.Rows(others)
	return rows, ok && !read && len(p.deletes) == 0
}

// sampled is how many manifests are looked into for a sample.
const sampled = 8

// sample implements files.Set.Sample: the files of some manifests, and what the list says of all.
func (v *Version) sample(ctx context.Context) (out files.Sample, some bool, err error) {
	p := v.planned
	if len(p.manifests) <= sampled {
		return out, false, nil
	}
	for _, i := range p.manifests {
		rows, ok := v.Manifests[i].Rows(out.Rows)
		if !ok {
			return out, false, nil
		}
		out.Rows = rows
	}
	keep := make([]bool, len(p.manifests))
	for k := range sampled {
		keep[k*len(keep)/sampled] = true
	}
	if err := v.load(ctx, keep); err != nil {
		return out, false, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for n, own := range p.lists {
		if keep[n] {
			out.Files = append(out.Files, own...)
		}
	}
	out.Known = v.listed
	return out, true, nil
}

// listed is what the list says of a column in all manifests; nil: nothing.
func (v *Version) listed(column int) *probe.Summary {
	var all []*probe.Summary
	for _, known := range v.planned.known {
		if known == nil {
			return nil
		}
		s := known(column)
		if s == nil {
			return nil
		}
		all = append(all, s)
	}
	return unionOf(all)
}

// size is about how many bytes the data files have.
func (v *Version) size() int64 {
	v.planned.mu.Lock()
	defer v.planned.mu.Unlock()
	return v.planned.bytes
}

// guess is about how many bytes the files of a manifest have that was not read.
func (v *Version) guess(m *manifest.Manifest) int64 {
	rows := min(max(0, m.AddedRows), mostGuessed) + min(max(0, m.ExistingRows), mostGuessed)
	return rows * int64(len(v.Columns)) * valueBytes
}

// valueBytes is about what a value takes in a file, and mostGuessed how many rows are believed for that.
const (
	valueBytes  = 4
	mostGuessed = 1 << 36
)

// load reads manifests that are kept and were not read, and at first those of delete files: all of them,
// as to which data files a delete file belongs, its partition does not always say.
func (v *Version) load(ctx context.Context, keep []bool) error {
	p := v.planned
	var which, deletes []int
	at := map[int]int{}
	p.mu.Lock()
	for n, i := range p.manifests {
		if keep[n] && p.lists[n] == nil {
			which, at[i] = append(which, i), n
		}
	}
	if len(which) > 0 && v.deletes == nil {
		deletes = p.deletes
	}
	p.mu.Unlock()
	lists := make([][]*manifest.File, len(v.Manifests))
	if err := v.pinned.read(ctx, v.Snapshot, slices.Concat(deletes, which), func(i int, list []*manifest.File) error {
		lists[i] = list
		return nil
	}); err != nil {
		return err
	}
	p.mu.Lock()
	if len(which) > 0 && v.deletes == nil {
		var all []*manifest.File
		for _, i := range deletes {
			all = append(all, lists[i]...)
		}
		v.deletes = newDeletes(v, all)
	}
	p.mu.Unlock()
	return parallel.Some(runtime.GOMAXPROCS(0), len(which), func(k int) error {
		own, err := v.filesOf(ctx, lists[which[k]])
		if err != nil {
			return v.pinned.of.named(err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if n := at[which[k]]; p.lists[n] == nil {
			p.lists[n] = own
			p.unread--
			p.bytes -= v.guess(v.Manifests[which[k]])
			for _, f := range own {
				p.bytes += f.Size()
			}
		}
		return nil
	})
}

// sort puts all files in order once they are there.
func (p *planned) sort() {
	if p.unread > 0 || p.sorted != nil {
		return
	}
	type place struct {
		*files.File
		of int32
	}
	var all []place
	for n, own := range p.lists {
		for _, f := range own {
			all = append(all, place{f, int32(n)})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return byPath(a.File, b.File) })
	p.sorted, p.of = make([]*files.File, len(all)), make([]int32, len(all))
	for i, f := range all {
		p.sorted[i], p.of[i] = f.File, f.of
	}
}

func byPath(a, b *files.File) int { return strings.Compare(a.Path, b.Path) }
