package files

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/mapping"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/vector"
)

// Set is a table made of files. It is immutable.
type Set struct {
	scan.Table
	Files []*File      // in the order of their rows
	Scan  scan.Options // how the table is read
	// Version is which version of the table it is, where a log or metadata says which files count; "" is
	// a table of the files that are there.
	Version string
	// Find finds the files where that takes reads, and Files has none. It is nil where Files has all
	// files.
	Find func(ctx context.Context, w Wanted) (Found, error)
	Size int64 // about how many bytes the files have that Find finds
	// Sample looks at a few of the files that Find finds; false where that would save nothing. It may be
	// nil.
	Sample func(ctx context.Context) (Sample, bool, error)
	// Groups are the row groups that are read of each file, where the set is a part of a table; nil: all.
	Groups map[*File]Groups
	// Omitted is how many files the table has besides. The query needs no row of them.
	Omitted int
	// Ready makes File.Bounds of a column, which may take long for each of many files, take no time. Its error
	// is that of ctx. It is nil where it would save nothing.
	Ready func(ctx context.Context, column int) error
}

// Groups are row groups of a file, one after the other.
type Groups struct{ From, To int } // To is not among them

// Reads reports whether a row group of a file is read.
func (s *Set) Reads(f *File, group int) bool {
	if s.Groups == nil {
		return true
	}
	g := s.Groups[f]
	return g.From <= group && group < g.To
}

// Part is the set with some row groups of some of its files, of which all are known.
func (s *Set) Part(list []*File, groups map[*File]Groups) *Set {
	out := *s
	out.Files, out.Groups, out.Find, out.Sample, out.Ready, out.Size = list, groups, nil, nil, nil, 0
	return &out
}

// Whole is the set with all its files in Files.
func (s *Set) Whole(ctx context.Context) (*Set, error) {
	if s.Find == nil {
		return s, nil
	}
	found, err := s.Find(ctx, Wanted{})
	if err != nil {
		return nil, err
	}
	out := *s
	out.Files, out.Find, out.Sample, out.Size = found.Files, nil, nil, 0
	return &out, nil
}

// Wanted says what is wanted of the files of a set.
type Wanted struct {
	// Test is how many rows are wanted of those of which something is known; nil: all are.
	Test func(known func(column int) *probe.Summary) probe.Verdict
	// Columns are those that Test asks for.
	Columns []int
	// Count says that of files all of whose rows are wanted the number of rows is enough.
	Count bool
}

// Found is the files of a set that may have rows that are wanted, in the order of their rows.
type Found struct {
	Files   []*File
	Omitted int // how many files have no row that is wanted
	// Counted is how many others have nothing but rows that are wanted, and Rows how many.
	Counted int
	Rows    int64
}

// Sample is a few files of a set, and what is known of all of them without a look at each.
type Sample struct {
	Files []*File
	Rows  int64 // of all files; some may be deleted
	// Known is what is known of a column in all files; nil: nothing.
	Known func(column int) *probe.Summary
}

// File is one file of a set.
type File struct {
	Path  string        // what users see as _file and in errors: below the location, with "/"
	Entry storage.Entry // in Store, which need not be that of the other files
	Store storage.Store
	Root  string // which store, where not all files of the Cache are in one; "" for most

	// Mapping says where the table's columns are. It is asked once the file is open.
	Mapping mapping.Mapping
	// Values are what all rows of the file have in some columns, whatever the file itself
	// says: those of its partition.
	Values []Value

	// Fills are what rows have in place of NULL.
	Fills []Fill

	// Rows is how many rows the file has, those that are deleted included; -1: not known before
	// the file is opened. Footers.Schema sets it.
	Rows int64
	// Bounds is what is known of a table's column before the file is opened, in the column's
	// type; nil: nothing. Its Rows are those of the file. Like all summaries it describes all
	// rows, also those that are deleted; where some are, its exact bounds still have to be values
	// of the file, and answer no MIN or MAX. It may be called by several goroutines.
	Bounds func(column int) *probe.Summary
	// Deletes are rows that do not count; nil: none.
	Deletes *Deletes

	// VariantGroups are groups of the file that are Variants without saying so, besides those of
	// the Cache's options: see nested.Options.
	VariantGroups string

	// Unlisted says that a log names the file, and that nobody has seen it: it may be missing.
	Unlisted bool

	// Err is why the file cannot be opened, where that is known: Open fails with it.
	Err error

	actual     atomic.Pointer[storage.Entry] // in place of Entry, whose size is wrong; nil: that is right as far as is known
	near       atomic.Pointer[footer]        // of Entry, found by Near for the next who opens the file
	footers    *Footers
	footerRead atomic.Int64     // bytes of the footer that were read but not yet counted by a scan
	part       *fileformat.File // this file's metadata from a summary file, used instead of its own footer
	schema     *Schema          // that the footer must have; nil: any
}

// Value is what all rows of a file have in a column.
type Value struct {
	Column int            // of the table
	Scalar *vector.Scalar // of the column's type; files may share it
}

// Fill is what rows of a file have in a column of type BIGINT where that is NULL, or where the file
// does not have the column.
type Fill struct {
	Column  int // of the table
	From    int64
	Counted bool // From is that of the first row, and the next row has one more
}

// Fill is that of column i; nil: NULL stays NULL.
func (f *File) Fill(i int) *Fill {
	for k := range f.Fills {
		if f.Fills[k].Column == i {
			return &f.Fills[k]
		}
	}
	return nil
}

// Value is what all rows of the file have in column i, as far as that is known without opening it.
func (f *File) Value(i int) (vector.Scalar, bool) {
	if v := f.ValueAt(i); v != nil {
		return *v, true
	}
	return vector.Scalar{}, false
}

// ValueAt is Value without a copy, nil where it is not known.
func (f *File) ValueAt(i int) *vector.Scalar {
	for _, v := range f.Values {
		if v.Column == i {
			return v.Scalar
		}
	}
	return nil
}

// MappedAs reports whether what is known of columns of one file whose mapping is that of another one
// holds for the other: neither has columns of its own, and the same have one value in each.
func (f *File) MappedAs(o *File) bool {
	return f.footers.cache == o.footers.cache && f.VariantGroups == o.VariantGroups && len(f.Fills) == 0 && len(o.Fills) == 0 &&
		slices.EqualFunc(f.Values, o.Values, func(a, b Value) bool { return a.Column == b.Column })
}

// NestedOptions says how the file's columns are read.
func (f *File) NestedOptions() nested.Options {
	o := f.footers.cache.options.Nested
	switch {
	case o.VariantGroups == "":
		o.VariantGroups = f.VariantGroups
	case f.VariantGroups != "":
		o.VariantGroups += "," + f.VariantGroups
	}
	return o
}

// Size is the file's bytes.
func (f *File) Size() int64 { return f.Entry.Size }

// TakeFooterBytes returns how many bytes of the footer were read since its last call,
// so that only one scan counts each byte.
func (f *File) TakeFooterBytes() int64 {
	if f.footerRead.Load() == 0 { // of most of very many files
		return 0
	}
	return f.footerRead.Swap(0)
}

// TakeFooterOf counts as this file's the bytes that were read of another one's footer: of a summary
// that names this file.
func (f *File) TakeFooterOf(summary *File) { f.footerRead.Add(summary.TakeFooterBytes()) }

// Expect sets the schema that the file's footer must have. Where it has another one, the file was
// replaced.
func (f *File) Expect(s *Schema) { f.schema = s }

// UseFooter sets metadata that is used instead of the file's own: a summary file has it.
func (f *File) UseFooter(of fileformat.Part) {
	f.part = of.File(f.Entry.Size, f.formatOptions(f.entry()))
}
