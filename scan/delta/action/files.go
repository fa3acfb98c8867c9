package action

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// fileReader reads files out of a row group, many at a time: a checkpoint has one row for each.
type fileReader struct {
	*rowReader
	path, size, modified, partition, stats, parsed *cursor
	vectors                                        struct{ storage, path, offset, size, rows *cursor }

	found []File        // of the batch at hand
	keys  partitionKeys // of found
}

// files gives the files of some rows to the sink.
func (r *rowReader) files(from, end int64) error {
	f := &fileReader{
		rowReader: r, path: r.named("add.path"), size: r.named("add.size"), modified: r.named("add.modificationTime"),
		partition: r.named("add.partitionValues"), stats: r.named("add.stats"), parsed: r.named(parsedStats),
	}
	v := &f.vectors
	v.storage, v.path, v.offset = r.named("add.deletionVector.storageType"), r.named("add.deletionVector.pathOrInlineDv"), r.named("add.deletionVector.offset")
	v.size, v.rows = r.named("add.deletionVector.sizeInBytes"), r.named("add.deletionVector.cardinality")
	for ; from < end; from += vector.BatchSize {
		to := min(end, from+vector.BatchSize)
		f.found = f.found[:0]
		f.keys.reset()
		if err := r.each(f.path, from, to, f.add); err != nil {
			return err
		}
		if len(f.found) == 0 {
			continue
		}
		if err := f.shared.share(&f.keys, f.found); err != nil {
			return err
		}
		// The sink keeps the list: it has to be as long as the files are many, not as the rows.
		if err := r.to.Add(slices.Clone(f.found)...); err != nil {
			return err
		}
	}
	return r.err
}

// add reads the file of the row.
func (f *fileReader) add() error {
	out := File{Path: DecodePath(f.text(f.path)), Size: f.integer(f.size, 0), Modified: f.integer(f.modified, 0), Stats: f.text(f.stats)}
	f.keys.add(f.pairs(f.partition))
	if out.Stats == "" && f.parsed != nil {
		out.Stats = f.json(f.parsed)
	}
	if v := &f.vectors; f.has(v.storage) {
		out.Deletion = &Deletion{
			Storage: f.text(v.storage), PathOrInline: f.text(v.path),
			Offset: f.integer(v.offset, -1), Size: f.integer(v.size, 0), Rows: f.integer(v.rows, 0),
		}
	}
	if f.err == nil {
		f.found = append(f.found, out)
	}
	return f.err
}
