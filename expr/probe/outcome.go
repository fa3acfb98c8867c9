package probe

// outcomes is the set of what a condition may yield over the rows of a summary.
// It may err on one side only: an outcome that some row has is always in the
// set, one that no row has may be in it too.
type outcomes uint8

const (
	canTrue outcomes = 1 << iota
	canFalse
	canNull
	canFail // evaluation may raise an error, which pruning must not hide

	anyOutcome = canTrue | canFalse | canNull
	unknown    = anyOutcome | canFail
)

// verdict reads the set. A condition that may fail decides nothing: whether it
// does fail is found out by evaluating it.
func (o outcomes) verdict() Verdict {
	switch {
	case o&canFail != 0:
		return Some
	case o&canTrue == 0:
		return None
	case o == canTrue:
		return All
	}
	return Some
}

// swap exchanges TRUE and FALSE: NOT.
func (o outcomes) swap() outcomes {
	r := o &^ (canTrue | canFalse)
	if o&canTrue != 0 {
		r |= canFalse
	}
	if o&canFalse != 0 {
		r |= canTrue
	}
	return r
}

// and is what a AND b may yield. The operands' outcomes are combined as if
// they were independent, which only adds outcomes.
func (o outcomes) and(p outcomes) outcomes {
	r := (o | p) & canFail
	if o&canTrue != 0 && p&canTrue != 0 {
		r |= canTrue
	}
	r |= (o | p) & canFalse
	if o&canNull != 0 && p&(canNull|canTrue) != 0 || p&canNull != 0 && o&(canNull|canTrue) != 0 {
		r |= canNull
	}
	return r
}

// is is what x IS TRUE (or, with want false, IS FALSE) may yield.
func (o outcomes) is(want bool) outcomes {
	hit, miss := canTrue, canFalse|canNull
	if !want {
		hit, miss = canFalse, canTrue|canNull
	}
	r := o & canFail
	if o&hit != 0 {
		r |= canTrue
	}
	if o&miss != 0 {
		r |= canFalse
	}
	return r
}
