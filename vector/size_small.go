//go:build smallbatch

package vector

// BatchSize is the most rows that an operator puts into one batch.
const BatchSize = 2
