package exec

import "errors"

// CloseAll closes operators and joins their errors.
func CloseAll(ops []Operator) error {
	var failures []error
	for _, op := range ops {
		failures = append(failures, op.Close())
	}
	return errors.Join(failures...)
}
