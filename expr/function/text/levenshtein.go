package text

import "github.com/parquetsql/parquetsql/internal/quota"

// levenshtein computes distances, one after another, in the same memory.
type levenshtein struct {
	places [256]uint64 // of each byte in the shorter text, if that has up to 64
	row    []int32
}

func (l *levenshtein) of(a, b string, work work) (int64, error) {
	if int64(len(a))*int64(len(b)) > maxProduct {
		return 0, tooLong(a, b)
	}
	if len(b) > len(a) {
		a, b = b, a // it is symmetric, and of the shorter one a row is kept
	}
	switch {
	case b == "":
		return int64(len(a)), nil
	case len(b) <= 64:
		return l.short(a, b, work)
	}
	return l.long(a, b, work)
}

// short is the algorithm of Myers, as simplified by Hyyrö ("A bit-vector algorithm for computing Levenshtein and Damerau edit
// distances"): a column of the matrix is two words, whose bits say where it grows or falls by 1 from row to row.
func (l *levenshtein) short(a, b string, work work) (_ int64, err error) {
	for j := range len(b) {
		l.places[b[j]] |= 1 << j
	}
	grows, falls := ^uint64(0), uint64(0)
	last, distance := uint64(1)<<(len(b)-1), int64(len(b))
	for i := range len(a) {
		if i%quota.BytesPerTell == 0 {
			if err = work(min(len(a)-i, quota.BytesPerTell)); err != nil {
				break
			}
		}
		equal := l.places[a[i]]
		diagonal := ((equal & grows) + grows) ^ grows | equal | falls
		right := falls | ^(diagonal | grows) // the row grows from the column before
		left := grows & diagonal
		if right&last != 0 {
			distance++
		}
		if left&last != 0 {
			distance--
		}
		right, left = right<<1|1, left<<1 // the first row grows in each column
		grows, falls = left|^(diagonal|right), right&diagonal
	}
	for j := range len(b) {
		l.places[b[j]] = 0
	}
	return distance, err
}

// long keeps a row of the matrix: the distances of a[:i] to each b[:j].
func (l *levenshtein) long(a, b string, work work) (int64, error) {
	if cap(l.row) <= len(b) {
		l.row = make([]int32, len(b)+1)
	}
	row := l.row[:len(b)+1]
	if 4*cap(l.row) > quota.KeptBuffer {
		l.row = nil
	}
	for j := range row {
		row[j] = int32(j)
	}
	for i := range len(a) {
		if err := work(len(b)); err != nil {
			return 0, err
		}
		diagonal := row[0]
		row[0] = int32(i + 1)
		for j := range len(b) {
			next := diagonal
			if a[i] != b[j] {
				next = min(diagonal, row[j], row[j+1]) + 1
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return int64(row[len(b)]), nil
}
