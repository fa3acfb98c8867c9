//go:build !checkviews

package column

// guard does nothing: see guard_check.go.
type guard[T any] struct{}

func (guard[T]) lend(values []T) []T { return values }
func (guard[T]) end()                {}
