package selection

// liveBlock is how many rows Live looks at once.
const liveBlock = 1 << 14

// Live is the rows from to to-1 without runs of at least shortest rows that are all deleted. Rows
// count from from. Deleted rows of shorter runs stay: many short ranges take longer to read than
// the rows between them. Deleted rows before the first and behind the last other row go.
func Live(deleted Rows, from, to, shortest int64) Ranges {
	var out Ranges
	begin, end := int64(-1), int64(0) // the range that is not in out yet
	live := func(a, b int64) {        // the rows a to b-1 are not deleted
		switch {
		case a >= b:
			return
		case begin < 0:
			begin = a
		case a-end >= shortest:
			out = out.Add(begin, end)
			begin = a
		}
		end = b
	}
	var gone []int32
	for block := from; block < to; block += liveBlock {
		next := min(to, block+liveBlock)
		at := block - from
		gone = deleted.Append(gone[:0], block, next)
		for _, row := range gone {
			live(at, block-from+int64(row))
			at = block - from + int64(row) + 1
		}
		live(at, next-from)
	}
	if begin < 0 {
		return out
	}
	return out.Add(begin, end)
}

// Others appends to out the rows from 0 to n-1 that are not among rows, which are ascending.
func Others(out, rows []int32, n int) []int32 {
	at := int32(0)
	for _, row := range rows {
		out = appendRun(out, at, row)
		at = row + 1
	}
	return appendRun(out, at, int32(n))
}

// numbers are 0, 1, 2 …: to copy a run of them is faster than to count.
var numbers = func() (out [4096]int32) {
	for i := range out {
		out[i] = int32(i)
	}
	return out
}()

// appendRun appends the numbers from one to another, without the latter.
func appendRun(out []int32, from, to int32) []int32 {
	if from < to && int(to) <= len(numbers) {
		return append(out, numbers[from:to]...)
	}
	for ; from < to; from++ {
		out = append(out, from)
	}
	return out
}
