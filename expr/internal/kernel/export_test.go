package kernel

// SetMaxBatchText changes the bound for a test and returns a function that restores it.
func SetMaxBatchText(n int) (undo func()) {
	old := maxBatchText
	maxBatchText = n
	return func() { maxBatchText = old }
}
