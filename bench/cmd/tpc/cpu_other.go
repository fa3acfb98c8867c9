//go:build !unix

package main

import "time"

// processTime is not known here; -cpu shows zeros.
func processTime() time.Duration { return 0 }
