package machine

import (
	"os"
	"runtime"
	"testing"
	"testing/fstest"
)

// TestMemory: the least of what limits the process.
func TestMemory(t *testing.T) {
	const meminfo = "MemTotal:       16000 kB\nMemFree:         1000 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"nothing":        {nil, 0},
		"machine":        {map[string]string{"proc/meminfo": meminfo}, 16000 << 10},
		"garbage":        {map[string]string{"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "x\n"}, 0},
		"no limit":       {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 16000 << 10},
		"container":      {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "4096000\n"}, 4096000},
		"service":        {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a.slice/b.service\n", "sys/fs/cgroup/a.slice/memory.max": "5000\n", "sys/fs/cgroup/a.slice/b.service/memory.max": "max\n"}, 5000},
		"version 1":      {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,memory:/x\n4:cpuset:/y\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "7000\n"}, 7000},
		"version 1 none": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "5:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 16000 << 10},
		"outside":        {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/../..\n", "sys/fs/cgroup/memory.max": "6000\n"}, 6000},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := Memory(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestMemoryOfThisMachine(t *testing.T) {
	if n := Memory(os.DirFS("/")); runtime.GOOS == "linux" && n < 1<<20 {
		t.Errorf("%d bytes", n)
	}
}
