// Package leaktest fails a test that leaves goroutines, open files or temporary
// files behind.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Check records the goroutines and open files of this moment and fails the test if
// there are more when it ends. Call it first, so that its check runs last. A test
// that calls it must not be parallel, because it sees all goroutines.
func Check(t testing.TB) {
	t.Helper()
	before, files := goroutines(), openFiles()
	t.Cleanup(func() {
		if t.Failed() {
			return // a failed test may leave anything
		}
		if extra := settle(func() []string { return newGoroutines(before) }); len(extra) > 0 {
			t.Errorf("%d goroutines were left behind:\n\n%s", len(extra), strings.Join(extra, "\n\n"))
		}
		if extra := settle(func() []string { return newFiles(files) }); len(extra) > 0 {
			t.Errorf("files were left open: %s", strings.Join(extra, ", "))
		}
	})
}

// patience is a watchdog for goroutines that do not end: one that has done its work
// still needs a moment to end, longer on a busy machine.
var patience = time.Minute

// settle repeats a check until it finds nothing or patience is over.
func settle(extra func() []string) []string {
	deadline := time.Now().Add(patience)
	for {
		list := extra()
		if len(list) == 0 || time.Now().After(deadline) {
			return list
		}
		time.Sleep(time.Millisecond)
	}
}

// goroutines returns the stacks of all goroutines by their numbers.
func goroutines() map[string]string {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			buf = buf[:n]
			break
		}
		buf = make([]byte, 2*len(buf))
	}
	stacks := map[string]string{}
	for stack := range strings.SplitSeq(string(buf), "\n\n") {
		var id string
		if _, err := fmt.Sscanf(stack, "goroutine %s", &id); err == nil {
			stacks[id] = stack
		}
	}
	return stacks
}

func newGoroutines(before map[string]string) []string {
	var extra []string
	for id, stack := range goroutines() {
		if _, old := before[id]; !old && !strings.Contains(stack, "testing.(*T).Run") && !strings.Contains(stack, "runtime.ReadTrace") {
			extra = append(extra, stack)
		}
	}
	slices.Sort(extra)
	return extra
}

// openFiles counts the regular files that the process has open, by path. A system
// without /proc shows none.
func openFiles() map[string]int {
	open := map[string]int{}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return open
	}
	for _, e := range entries {
		path, err := os.Readlink("/proc/self/fd/" + e.Name())
		if err != nil || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/") {
			continue
		}
		open[path]++
	}
	return open
}

func newFiles(before map[string]int) []string {
	var extra []string
	for path, n := range openFiles() {
		if n > before[path] {
			extra = append(extra, path)
		}
	}
	slices.Sort(extra)
	return extra
}

// Folder returns a new folder for temporary files. It has to be empty when the test
// ends.
func Folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			t.Errorf("temporary file %s was left behind", e.Name())
		}
	})
	return dir
}
