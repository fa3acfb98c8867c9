package manifest

import "slices"

// What a file takes in memory besides its texts, and a column of it.
const (
	fileBytes   = 600
	columnBytes = 96
)

// keep charges what is known of a file, and copies what is part of the block. Where columns would take
// more than half of the memory, they are left out: they only save work. The bounds of the paths that
// position deletes are of stay: without them a file has to be searched for each data file.
func (r *reader) keep(f *File) error {
	n := int64(fileBytes + len(f.Path) + len(f.Key) + len(f.Referenced) + 4*len(f.Equality))
	for _, v := range f.Partition {
		n += int64(len(v.Bytes))
	}
	if err := r.charge(n); err != nil {
		return err
	}
	if columns := bytesOf(f.Columns); r.budget.Limit() > 0 && r.budget.Used()+columns > r.budget.Limit()/2 || r.charge(columns) != nil {
		f.Columns = slices.DeleteFunc(f.Columns, func(c Column) bool { return f.Content != Positions || c.ID != PathID })
		if err := r.charge(bytesOf(f.Columns)); err != nil {
			return err
		}
	}
	f.Columns = slices.Clip(f.Columns)
	own := make([]byte, 0, textsOf(f))
	copied := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		own = append(own, b...)
		return own[len(own)-len(b) : len(own) : len(own)]
	}
	for i := range f.Columns {
		f.Columns[i].Lower, f.Columns[i].Upper = copied(f.Columns[i].Lower), copied(f.Columns[i].Upper)
	}
	for i := range f.Partition {
		f.Partition[i].Bytes = copied(f.Partition[i].Bytes)
	}
	return nil
}

func (r *reader) charge(n int64) error {
	err := r.budget.Need(n)
	if err == nil {
		r.charged += n
	}
	return err
}

// bytesOf is the memory of columns.
func bytesOf(columns []Column) (n int64) {
	for _, c := range columns {
		n += columnBytes + int64(len(c.Lower)+len(c.Upper))
	}
	return n
}

// textsOf is how many bytes a file has of the block.
func textsOf(f *File) (n int) {
	for _, c := range f.Columns {
		n += len(c.Lower) + len(c.Upper)
	}
	for _, v := range f.Partition {
		n += len(v.Bytes)
	}
	return n
}

// PathID is the id of the column of position delete files that has the paths of data files.
const PathID = 2147483546
