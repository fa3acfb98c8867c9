package kernel

// SetMaxBatchText lowers the bound for a test and answers how to undo that.
func SetMaxBatchText(n int) (undo func()) {
	old := maxBatchText
	maxBatchText = n
	return func() { maxBatchText = old }
}
