package variant

// restFields are the fields of a partially shredded object that are in value.
type restFields struct {
	names  *Metadata
	object raw
	c      container
	next   uint32
}

// restOf begins with the first field; an object without bytes has none.
func restOf(names *Metadata, object raw) (restFields, error) {
	r := restFields{names: names, object: object}
	var err error
	if object != "" {
		r.c, err = object.container()
	}
	return r, err
}

// until gives the fields before a name to a sink, and leaves out the one of that
// name.
func (r *restFields) until(name string, out sink) error {
	for ; r.next < r.c.count; r.next++ {
		at, e, err := r.object.entry(r.names, &r.c, r.next)
		switch {
		case err != nil:
			return err
		case at > name:
			return nil
		case at < name:
			out.name(at)
			out.value(r.names, e)
		}
	}
	return nil
}

// all gives the fields that are left to a sink.
func (r *restFields) all(out sink) error {
	for ; r.next < r.c.count; r.next++ {
		at, e, err := r.object.entry(r.names, &r.c, r.next)
		if err != nil {
			return err
		}
		out.name(at)
		out.value(r.names, e)
	}
	return nil
}
