package join

// SetFreeBytes changes how much memory a table uses without a charge, and returns a
// function that undoes it.
func SetFreeBytes(n int64) (undo func()) {
	old := freeBytes
	freeBytes = n
	return func() { freeBytes = old }
}
