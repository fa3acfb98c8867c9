package probe

// outcomes is the set of possible results of a condition over the rows of a summary.
// Every result that some row has is in the set; the set may also have results that
// no row has.
type outcomes uint8

const (
	canTrue outcomes = 1 << iota
	canFalse
	canNull
	canFail // evaluation may raise an error, which pruning must not hide

	anyOutcome = canTrue | canFalse | canNull
	unknown    = anyOutcome | canFail
)

// verdict turns the set into a Verdict. A condition that may fail decides nothing: it
// must be evaluated, because the error must be raised.
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

// swap exchanges TRUE and FALSE, for NOT.
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

// and returns the possible results of a AND b. The operands' outcomes are combined as if
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

// is returns the possible results of x IS TRUE or, with want false, of x IS FALSE.
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
