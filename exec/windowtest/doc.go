// Package windowtest tests exec/window from outside: each function over random frames, in memory and with all
// partitions on disk, compared with a reference that looks at all rows for every row.
package windowtest
