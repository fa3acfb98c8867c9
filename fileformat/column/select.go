package column

import "fmt"

// ReadSelected delivers the rows with the given numbers in one batch: the same rows as
// alternating Skip and Read. The numbers ascend and are at least Row(). Before a
// damaged row, and where memory is short, it may deliver fewer rows, but at least one. Row() is then the first
// given row that was not delivered; otherwise it is the row after the last.
func (r *Reader) ReadSelected(rows []int64) (*Batch, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.begin()
	for rest := rows; len(rest) > 0; {
		n := leadingRun(rest)
		if rest[0] < r.row || rest[n-1] >= r.total {
			return nil, fmt.Errorf("cannot read rows %d to %d of column %q, which has %d, at row %d", rest[0], rest[n-1], r.leaf.Dotted(), r.total, r.row)
		}
		r.row = rest[0]
		if err := r.add(n, n == len(rows)); err != nil {
			if r.got == 0 || r.err != nil {
				return nil, err
			}
			break
		} else if r.row <= rest[n-1] {
			break
		}
		rest = rest[n:]
	}
	return r.finish(), nil
}

// leadingRun returns how many numbers at the beginning are consecutive.
func leadingRun(rows []int64) int {
	n := 1
	for n < len(rows) && rows[n] == rows[n-1]+1 {
		n++
	}
	return n
}
