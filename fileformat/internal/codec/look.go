package codec

// looks calls a function from time to time while a long page is decompressed.
type looks struct {
	look func() error
	seen int // bytes of output at the last call
	err  error
}

// lookBytes is how much output there is between two calls: a few milliseconds.
const lookBytes = 4 << 20

// unseen is for pages that are short.
var unseen looks

// at is called with how many bytes of output there are. An error is that of the function: it is
// the end, whatever else might be tried.
func (l *looks) at(out int) error {
	if l.look == nil || l.err != nil || out-l.seen < lookBytes {
		return l.err
	}
	l.seen = out
	l.err = l.look()
	return l.err
}
