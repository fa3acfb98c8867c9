// Package varianttest compares VARIANT columns with what arrow-go wrote: random values,
// not shredded and shredded under random layouts, are read through database/sql, whole
// and by random paths.
package varianttest
