package order

import (
	"bytes"
)

// worse reports whether row a sorts after row b. Of equal rows the later one does.
func (w *topWorker) worse(a, b int32) bool {
	by := bytes.Compare(w.rows.keys.key(int(a)), w.rows.keys.key(int(b)))
	return by > 0 || by == 0 && a > b
}

// push adds a row to the heap; if the heap is full, it replaces the worst row.
func (w *topWorker) push(row int32, full bool) {
	if !full {
		w.heap = append(w.heap, row)
		if w.listed() {
			return
		}
		for i := len(w.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !w.worse(w.heap[i], w.heap[up]) {
				return
			}
			w.heap[i], w.heap[up] = w.heap[up], w.heap[i]
			i = up
		}
		return
	}
	h := w.heap
	h[0] = row
	for i := 0; ; {
		worst := 2*i + 1
		if worst >= len(h) {
			return
		}
		if worst+1 < len(h) && w.worse(h[worst+1], h[worst]) {
			worst++
		}
		if !w.worse(h[worst], h[i]) {
			return
		}
		h[i], h[worst] = h[worst], h[i]
		i = worst
	}
}

// compact forgets the rows that are no longer in the heap.
func (w *topWorker) compact() error {
	sorted := w.sorted()
	live := make([]int32, len(sorted))
	for i, r := range sorted {
		live[i] = r.row
	}
	r, err := w.rows.toMemory(sorted)
	if err != nil {
		return err
	}
	leading := w.newLeading()
	for i, c := range leading {
		if err := c.Append(&w.leading[i].Vec, live); err != nil {
			return err
		}
	}
	w.rows.clear()
	w.leading = leading
	for i, c := range w.rows.cols {
		if err := c.Append(r.cols[i], nil); err != nil {
			return err
		}
	}
	w.rows.keys, w.rows.n = r.keys, len(live)
	w.heap = w.heap[:len(live)]
	if len(live) == w.n && w.listed() {
		w.tell(len(live) - 1)
	}
	for i := range w.heap { // descending order is a heap
		w.heap[i] = int32(len(w.heap) - 1 - i)
	}
	return nil
}
