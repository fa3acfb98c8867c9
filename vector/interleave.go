package vector

// Interleave makes v the listed rows of several vectors of type t, one row after the other: first what all sources have in
// the first row. It is Pick of these rows, and fails so.
func (v *Vector) Interleave(t Type, sources []*Vector, rows []int32) error {
	switch t.Storage() {
	case StoreInt64:
		interleave[int64](v, t, sources, rows)
		return nil
	case StoreUint64:
		interleave[uint64](v, t, sources, rows)
		return nil
	case StoreFloat64:
		interleave[float64](v, t, sources, rows)
		return nil
	case StoreFloat32:
		interleave[float32](v, t, sources, rows)
		return nil
	case StoreBool:
		interleave[bool](v, t, sources, rows)
		return nil
	case StoreInt128:
		interleave[Int128](v, t, sources, rows)
		return nil
	case StoreString:
		interleave[string](v, t, sources, rows)
		v.Texts = Owned
		for _, s := range sources {
			v.Texts = min(v.Texts, s.Owner())
		}
		return nil
	}
	picks := make([]Pick, 0, len(rows)*len(sources))
	for _, row := range rows {
		for k := range sources {
			picks = append(picks, Pick{Source: int32(k), Row: row})
		}
	}
	return v.Pick(t, sources, picks)
}

func interleave[T Value](v *Vector, t Type, sources []*Vector, rows []int32) {
	v.Reset(t, len(rows)*len(sources))
	open, codes := openSources[T](sources), false
	for k := range open {
		codes = codes || open[k].codes != nil
	}
	into := *Slice[T](v)
	for _, row := range rows {
		if codes {
			for k := range open {
				o := &open[k]
				at := row & o.mask
				if o.codes != nil {
					at = o.codes[at]
				}
				into[k] = o.from[at]
			}
		} else {
			for k := range open {
				into[k] = open[k].from[row&open[k].mask]
			}
		}
		into = into[len(open):]
	}
	for k, s := range sources {
		if !s.MayHaveNulls() {
			continue
		}
		for i, row := range rows {
			if s.IsNull(int(row)) {
				v.SetNull(i*len(sources) + k)
			}
		}
	}
}
