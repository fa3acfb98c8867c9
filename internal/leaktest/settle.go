package leaktest

// Settled is n once it is 0, or what it stays at. It is for what ends a moment after its user: a
// read of a file system that was given up closes its file when it returns.
func Settled(n func() int) int {
	last := 0
	settle(func() []string {
		if last = n(); last == 0 {
			return nil
		}
		return []string{""}
	})
	return last
}
