//go:build !checkviews

package reader

// lendsAll says that all texts are lent, whatever the request asks for: see lent_on.go.
const lendsAll = false
