//go:build unix

package main

import (
	"syscall"
	"time"
)

// used is the processor time that the process has taken, and the number of pages that
// the system has given to it.
func used() (cpu time.Duration, faults int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), int64(u.Minflt)
}
