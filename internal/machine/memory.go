// Package machine says how much memory the process may use.
package machine

import (
	"bytes"
	"io/fs"
	"math"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// Memory is the bytes of memory that the process may use: that of the machine, or the
// limit of its cgroup (version 2, or 1), or GOMEMLIMIT, whichever is least. 0 is unknown.
// root is the file system from "/", of which it reads proc and sys; a system without them
// knows GOMEMLIMIT only.
func Memory(root fs.FS) int64 {
	least := debug.SetMemoryLimit(-1) // changes nothing
	for _, n := range append(cgroups(root), installed(root)) {
		if n > 0 {
			least = min(least, n)
		}
	}
	if least == math.MaxInt64 {
		return 0
	}
	return least
}

// installed is the memory of the machine.
func installed(root fs.FS) int64 {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range bytes.Lines(text) {
		if fields := bytes.Fields(line); len(fields) == 3 && string(fields[0]) == "MemTotal:" {
			return number(fields[1]) << 10
		}
	}
	return 0
}

// cgroups are the limits of the process's cgroup and of those around it. In a container
// its own cgroup is usually the root of the mounted tree.
func cgroups(root fs.FS) []int64 {
	var limits []int64
	text, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		// hierarchy:controllers:path
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		tree, file := "sys/fs/cgroup", "memory.max"
		switch {
		case strings.Contains(","+fields[1]+",", ",memory,"):
			tree, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		case fields[1] != "":
			continue
		}
		for at := path.Clean("/" + fields[2]); ; at = path.Dir(at) {
			limit, _ := fs.ReadFile(root, path.Join(tree, at, file))
			limits = append(limits, number(bytes.TrimSpace(limit)))
			if at == "/" {
				break
			}
		}
	}
	return limits
}

// number is a decimal number; 0 for "max" and whatever else is none.
func number(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>10 {
		return 0
	}
	return n
}
