// Package faulttest has tests of a world in which things fail: files that cannot be opened
// or listed, disks that are full, reads that do not return, a process that is killed.
package faulttest
