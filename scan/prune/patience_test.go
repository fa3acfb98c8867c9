package prune

import "testing"

// TestPatience: many row groups for which evidence is no help, then one for which it is.
func TestPatience(t *testing.T) {
	var p Patience
	values := 0
	reads := func(n int) (k int) {
		for range n {
			if p.Reads() {
				p.Note(values, false)
				k++
			}
		}
		return k
	}
	if got := reads(patient); got != patient {
		t.Errorf("%d of the first %d are read", got, patient)
	}
	if got := reads(10 * (retried + 1)); got != 10 {
		t.Errorf("then %d are read of %d", got, 10*(retried+1))
	}
	p.Note(0, true)
	if got := reads(patient); got != patient {
		t.Errorf("when it helps again, %d of %d are read", got, patient)
	}
	p.Note(0, true)
	values = 3 * largePiece
	if got := reads(patient); got != patient/4+patient*3/4/(retried+1) {
		t.Errorf("of %d large ones, %d are read", patient, got)
	}
}
