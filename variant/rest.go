package variant

// restFields are the fields of a partially shredded object that are in value.
type restFields struct {
	object *Value
	c      container
	next   uint32
}

// restOf begins with the first field; value may be zero, which has none.
func restOf(value *Value) (restFields, error) {
	r := restFields{object: value}
	var err error
	if value.data != "" {
		r.c, err = value.data.container()
	}
	return r, err
}

// until gives the fields before a name to a sink, and leaves out the one of that
// name.
func (r *restFields) until(name string, out sink) error {
	for ; r.next < r.c.count; r.next++ {
		at, e, err := r.object.data.entry(&r.object.names, &r.c, r.next)
		switch {
		case err != nil:
			return err
		case at > name:
			return nil
		case at < name:
			out.name(at)
			out.value(&Value{r.object.names, e})
		}
	}
	return nil
}

// all gives the fields that are left to a sink.
func (r *restFields) all(out sink) error {
	for ; r.next < r.c.count; r.next++ {
		at, e, err := r.object.data.entry(&r.object.names, &r.c, r.next)
		if err != nil {
			return err
		}
		out.name(at)
		out.value(&Value{r.object.names, e})
	}
	return nil
}
