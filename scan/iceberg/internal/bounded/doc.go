// Package bounded reads what files of metadata become in memory, which may be a thousand times what
// they are on disk: each byte is charged before it is there.
package bounded
