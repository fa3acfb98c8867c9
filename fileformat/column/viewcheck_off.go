//go:build !checkviews

package column

// viewCheck does nothing: see viewcheck_on.go.
type viewCheck[T any] struct{}

func (viewCheck[T]) lend(values []T) []T { return values }
func (viewCheck[T]) end()                {}
