package delta

import (
	"testing"

	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/storage"
)

// TestCache: what was not used for the longest time goes first, and what does not fit is not kept.
func TestCache(t *testing.T) {
	c := NewCache(100)
	tables, versions := make([]*Table, 4), make([]*Version, 4)
	for i := range tables {
		tables[i] = &Table{cache: c, log: log.New(storage.NewLocal(t.TempDir(), false, nil), ".", log.Options{})}
		versions[i] = &Version{bytes: 30}
	}
	kept := func(want ...bool) {
		t.Helper()
		used := int64(0)
		for i, w := range want {
			if got := tables[i].last != nil; got != w {
				t.Errorf("table %d is kept: %v", i, got)
			}
			if w {
				used += versions[i].bytes
			}
		}
		if c.used != used {
			t.Errorf("%d bytes are used, want %d", c.used, used)
		}
	}
	for i := range 3 {
		if !c.keep(tables[i], versions[i], 0) {
			t.Errorf("table %d is not kept", i)
		}
	}
	kept(true, true, true, false)
	c.use(tables[0])
	c.keep(tables[3], versions[3], 0)
	kept(true, false, true, true)
	if !c.keep(tables[0], versions[0], 40) { // a column that was read
		t.Error("70 bytes do not fit")
	}
	kept(true, false, false, true)
	if c.keep(tables[0], versions[0], 40) { // another, for which there is no room
		t.Error("110 bytes fit")
	}
	kept(true, false, false, true)
	if c.keep(tables[3], &Version{bytes: 200}, 0) {
		t.Error("200 bytes fit")
	}
	kept(true, false, false, false)
}
