package errs

// stateError is an error with the code that the SQL standard, or PostgreSQL, has for it.
type stateError struct {
	state string
	err   error
}

// State gives an error its SQLSTATE, which programs ask for by the method SQLState. Errors whose
// type says as much need none.
func State(state string, err error) error { return &stateError{state, err} }

func (e *stateError) Error() string    { return e.err.Error() }
func (e *stateError) Unwrap() error    { return e.err }
func (e *stateError) SQLState() string { return e.state }

// The codes of errors that several packages return.
const (
	Grouping        = "42803" // a column or aggregate where the groups allow none
	AmbiguousColumn = "42702"
)
