//go:build checkviews

package reader

// lendsAll: in these builds all texts that can be lent are, so that each consumer meets some, and
// not only those for which lending is worth it.
const lendsAll = true
