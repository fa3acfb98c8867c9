package column

import "fmt"

// ReadSelected delivers the rows with the given numbers, which ascend from Row()
// on, in one batch: what Skip and Read would by turns, back to back. It may
// deliver fewer, but at least one, just before a row that is damaged. Row() is
// then the first of them that was not delivered, and else the one behind the last.
func (r *Reader) ReadSelected(rows []int64) (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.begin()
	for rest := rows; len(rest) > 0; {
		n := leadingRun(rest)
		if rest[0] < r.row || rest[n-1] >= r.total {
			return nil, fmt.Errorf("parquet: cannot read rows %d to %d of column %q, which has %d, at row %d", rest[0], rest[n-1], r.leaf.Dotted(), r.total, r.row)
		}
		r.row = rest[0]
		if err := r.add(n, n == len(rows)); err != nil {
			if r.got == 0 || r.err != nil {
				return nil, err
			}
			break
		}
		rest = rest[n:]
	}
	return r.finish(), nil
}

// leadingRun is how many numbers at the beginning follow each other.
func leadingRun(rows []int64) int {
	n := 1
	for n < len(rows) && rows[n] == rows[n-1]+1 {
		n++
	}
	return n
}
