package encoding

// More continues the values section of a page that is decompressed in pieces. What it
// returns begins with the last rest bytes of what it returned before, or Reset was given,
// and has need bytes, or more, unless the section ends before. Bytes before those may
// change, but not while strings point to them.
type More func(rest, need int) ([]byte, error)

// A Pieced is a Decoder that may begin with a piece of a page.
type Pieced interface {
	// Continue is called after Reset where more follows its data.
	Continue(more More)
}

// mostView is the longest view of a page in pieces: more are decoded one after another.
const mostView = 32 << 10

// again asks for a piece with need bytes that begins with the unused bytes data. Where the
// section has no more it returns errShort.
func (more More) again(data []byte, need int) ([]byte, error) {
	if more == nil {
		return nil, errShort
	}
	data, err := more(len(data), need)
	if err == nil && len(data) < need {
		err = errShort
	}
	return data, err
}
