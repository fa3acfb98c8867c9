package errs

import "fmt"

// Count is a number and what it counts, which takes an s: 1 column, 2 columns.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
