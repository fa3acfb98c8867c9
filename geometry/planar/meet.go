package planar

// meet reports whether two geometries have a point in common.
func meet(a, b *parts) bool {
	for _, p := range a.points {
		if b.locate(p) != outside {
			return true
		}
	}
	for _, p := range b.points {
		if a.locate(p) != outside {
			return true
		}
	}
	return edgesMeet(a, b) || holds(a, b) || holds(b, a)
}

// holds reports whether a part of b is within an area of a, if no edges of the two meet:
// then one position of each part tells.
func holds(a, b *parts) bool {
	for i := range a.areas {
		for _, p := range b.starts {
			if a.areas[i].locate(p, &a.found) != outside {
				return true
			}
		}
		for j := range b.areas {
			if a.areas[i].locate(b.areas[j].rings[0], &a.found) != outside {
				return true
			}
		}
	}
	return false
}

// edgesMeet reports whether an edge of a and one of b have a point in common.
func edgesMeet(a, b *parts) bool {
	for _, l := range a.edgeLists() {
		for _, r := range b.edgeLists() {
			if listsMeet(l, r, &a.found) {
				return true
			}
		}
	}
	return false
}

// edgeLists are the edges of lines and of each area.
func (p *parts) edgeLists() []*edges {
	var lists []*edges
	if len(p.lines.list) > 0 {
		lists = append(lists, &p.lines)
	}
	for i := range p.areas {
		lists = append(lists, &p.areas[i].edges)
	}
	return lists
}

func listsMeet(l, r *edges, scratch *[]int32) bool {
	if len(l.list) > len(r.list) {
		l, r = r, l
	}
	for _, e := range l.list {
		*scratch = r.near(e.box(), (*scratch)[:0])
		for _, i := range *scratch {
			if o := r.list[i]; segmentsMeet(e.a, e.b, o.a, o.b) {
				return true
			}
		}
	}
	return false
}
