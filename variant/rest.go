package variant

// restFields are the fields of a partially shredded object that are in value. They are
// checked as raw.check does.
type restFields struct {
	names  *dictionary // valid
	object raw
	c      container
	next   uint32

	id   uint32 // of next, whose name is
	name string
	used uint64 // bytes of the values so far
}

// restOf begins with the first field; an object without bytes has none.
func restOf(names *dictionary, object raw) (r restFields, err error) {
	if object == "" {
		return r, nil
	}
	r = restFields{names: names, object: object}
	if err = object.container(&r.c); err == nil {
		err = r.look()
	}
	return r, err
}

// look reads the name of next, which must be behind the one before.
func (r *restFields) look() error {
	if r.next == r.c.count {
		return nil
	}
	id := loadUint(r.object, r.c.ids+int(r.next)*int(r.c.idWidth), r.c.idWidth)
	name, err := r.names.name(id)
	if err == nil && r.next > 0 && name <= r.name {
		err = errUnordered(r.name, name)
	}
	r.id, r.name = id, name
	return err
}

// until gives the fields before a name to a sink, and leaves out the one of that
// name.
func (r *restFields) until(name string, out sink) error {
	for r.next < r.c.count && r.name <= name {
		if err := r.field(r.name < name, out); err != nil {
			return err
		}
	}
	return nil
}

// all gives the fields that are left to a sink.
func (r *restFields) all(out sink) error {
	for r.next < r.c.count {
		if err := r.field(true, out); err != nil {
			return err
		}
	}
	return nil
}

// field gives the next field to a sink, or only checks it.
func (r *restFields) field(give bool, out sink) error {
	e, err := r.object.element(&r.c, r.next)
	if err != nil {
		return err
	}
	if r.used += uint64(len(e)); r.used > uint64(r.c.total) {
		return errShared
	}
	if give {
		if err = out.name(r.names, r.id); err == nil {
			err = out.value(r.names, e)
		}
	} else {
		err = e.check(r.names)
	}
	if err != nil {
		return err
	}
	r.next++
	return r.look()
}
