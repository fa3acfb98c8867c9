//go:build !smallbatch

package vector

// BatchSize is the most rows that an operator puts into one batch. The build
// tag smallbatch makes it 2, so that every boundary is met in tests.
const BatchSize = 2048
