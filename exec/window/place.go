package window

import "slices"

// place is where a row is: its partition and its peer group, as indexes of parts and
// peers.
type place struct{ part, peer int }

// find is the place of a row.
func (s *section) find(row int) place {
	return place{after(s.parts, row) - 1, after(s.peers, row) - 1}
}

// after is the index of the first start that is greater than row.
func after(starts []int32, row int) int {
	i, _ := slices.BinarySearch(starts, int32(row)+1)
	return i
}

// forward moves the place to a later row.
func (p *place) forward(s *section, row int) {
	for int(s.parts[p.part+1]) <= row {
		p.part++
	}
	for int(s.peers[p.peer+1]) <= row {
		p.peer++
	}
}

// bounds are the first row of the partition and the one after its last row.
func (p place) bounds(s *section) (from, to int32) { return s.parts[p.part], s.parts[p.part+1] }

// group is the first row of the peer group and the one after its last row.
func (p place) group(s *section) (from, to int32) { return s.peers[p.peer], s.peers[p.peer+1] }
