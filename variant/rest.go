package variant

import "cmp"

// restFields are the fields of a partially shredded object that are in value. They are
// checked as raw.check does.
type restFields struct {
	names  *dictionary // valid
	object raw
	c      container
	next   uint32

	id    uint32 // of next, whose name is
	order ascending
	used  uint64 // bytes of the values so far
}

// open begins with the first field; an object without bytes has none.
func (r *restFields) open(names *dictionary, object raw) error {
	if object == "" {
		return nil
	}
	names.prepare()
	r.names, r.object, r.order = names, object, newAscending(names)
	if err := object.container(&r.c); err != nil {
		return err
	}
	return r.look()
}

// look reads the number of next, whose name must be behind the one before.
func (r *restFields) look() error {
	if r.next == r.c.count {
		return nil
	}
	r.id = loadUint(r.object, r.c.ids+int(r.next)*int(r.c.idWidth), r.c.idWidth)
	return r.order.next(r.id)
}

// before reports whether next comes before a shredded field, or there is a next one if f
// is nil. One of the same name is passed over: names ascend, so that there is only one.
func (r *restFields) before(f *shreddedField) (bool, error) {
	if r.next == r.c.count || f == nil {
		return r.next < r.c.count, nil
	}
	side := r.compare(f)
	if side == 0 {
		return false, r.skip()
	}
	return side < 0, nil
}

// compare compares the name of next with that of a shredded field.
func (r *restFields) compare(f *shreddedField) int {
	if p := r.names.prepared; p != nil {
		return cmp.Compare(2*int(p[r.id].rank)+1, r.names.place(f))
	}
	name, _ := r.names.name(r.id)
	return cmp.Compare(name, f.name)
}

// place is where a shredded field is among the names of a prepared dictionary: 2n+1 if its
// name has the rank n, 2n if it is before that and behind rank n-1.
func (d *dictionary) place(f *shreddedField) int {
	if f.number < len(d.places) && d.places[f.number] != 0 {
		return d.places[f.number] - 1
	}
	place := 0
	for i, p := range d.prepared {
		name, _ := d.name(uint32(i))
		switch cmp.Compare(name, f.name) {
		case 0:
			place = max(place, 2*int(p.rank)+1)
		case -1:
			place = max(place, 2*int(p.rank)+2)
		}
	}
	for len(d.places) <= f.number {
		d.places = append(d.places, 0)
	}
	d.places[f.number] = place + 1
	return place
}

// bytes begin with the value of next.
func (r *restFields) bytes() (raw, error) {
	start := loadUint(r.object, r.c.offsets+int(r.next)*int(r.c.offsetWidth), r.c.offsetWidth)
	if start >= r.c.total {
		return "", errBehind(r.next)
	}
	return r.object[r.c.values+int(start) : r.c.values+int(r.c.total)], nil
}

// pass goes past next, whose value has so many bytes.
func (r *restFields) pass(size int) error {
	if r.used += uint64(size); r.used > uint64(r.c.total) {
		return errShared
	}
	r.next++
	return r.look()
}

// skip checks next and goes past it.
func (r *restFields) skip() error {
	d, err := r.bytes()
	if err != nil {
		return err
	}
	c := checker{names: r.names}
	size, err := c.value(d, MaxDepth)
	if err != nil {
		return err
	}
	return r.pass(size)
}

// build gives next to a Builder.
func (r *restFields) build(out rebuilder) error {
	d, err := r.bytes()
	if err == nil {
		d, err = d.cut()
	}
	if err == nil {
		err = out.field(r.names, r.id, d)
	}
	if err != nil {
		return err
	}
	return r.pass(len(d))
}

// buildUntil gives the fields before a shredded one to a Builder, all of them if f is nil.
func (r *restFields) buildUntil(f *shreddedField, out rebuilder) error {
	for {
		if ok, err := r.before(f); !ok || err != nil {
			return err
		}
		if err := r.build(out); err != nil {
			return err
		}
	}
}

// textUntil is buildUntil for JSON text.
func (r *restFields) textUntil(dst []byte, f *shreddedField, t *jsonText) ([]byte, error) {
	for {
		ok, err := r.before(f)
		if ok && err == nil {
			dst, err = r.text(dst, t)
		}
		if !ok || err != nil {
			return dst, err
		}
	}
}

// text appends next, with its name.
func (r *restFields) text(dst []byte, t *jsonText) ([]byte, error) {
	d, err := r.bytes()
	if err != nil {
		return dst, err
	}
	if dst, err = t.name(dst, r.id, begun(dst)); err != nil {
		return dst, err
	}
	dst, size, err := t.raw(dst, d, MaxDepth)
	if err != nil {
		return dst, err
	}
	return dst, r.pass(size)
}
