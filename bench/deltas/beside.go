package deltas

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// beside writes what may be beside the commits: checkpoints of all kinds, compactions, files that
// say nothing, and it removes old commits.
func (t *Table) beside() error {
	v := len(t.States) - 1
	if t.r.Intn(6) == 0 {
		if err := t.compact(v); err != nil {
			return err
		}
	}
	if t.r.Intn(5) > 0 {
		return nil
	}
	complete, err := t.checkpoint(v)
	if err != nil {
		return err
	}
	text := []string{"{", "", `{"version":0,"size":1}`, fmt.Sprintf(`{"version":%d,"size":1,"parts":7}`, v), fmt.Sprintf(`{"version":%d,"size":1}`, v+3)}[t.r.Intn(5)]
	if err := os.WriteFile(filepath.Join(t.Dir, "_delta_log", "_last_checkpoint"), []byte(text), 0o600); err != nil {
		return err
	}
	if complete && t.r.Intn(4) == 0 {
		for ; t.First < v; t.First++ {
			if err := os.Remove(filepath.Join(t.Dir, "_delta_log", version(int64(t.First))+".json")); err != nil {
				return err
			}
		}
	}
	return nil
}

// state is the actions of a checkpoint: those of the table, and those of files.
func (t *Table) state() (table, files []Action) {
	table = []Action{{Protocol: &t.protocol}, {MetaData: t.metaData()}}
	live := map[string]bool{}
	for _, f := range t.files {
		files = append(files, Action{Add: t.add(f)})
		live[key(f.path, f.vector)] = true
	}
	for i := range t.removed { // tombstones of files that are not there again
		if r := &t.removed[i]; t.r.Intn(2) == 0 && !live[key(r.Path, r.Vector)] {
			live[key(r.Path, r.Vector)] = true
			files = append(files, Action{Remove: r})
		}
	}
	t.r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	return table, files
}

func key(path string, v *Vector) string {
	if v == nil {
		return path
	}
	if v.Offset == nil {
		return path + "\x00" + v.Storage + v.Path
	}
	return fmt.Sprintf("%s\x00%s%s@%d", path, v.Storage, v.Path, *v.Offset)
}

// checkpoint writes one of any kind. It is not complete where a part is missing.
func (t *Table) checkpoint(v int) (complete bool, err error) {
	log := filepath.Join(t.Dir, "_delta_log")
	name := filepath.Join(log, version(int64(v))+".checkpoint")
	table, files := t.state()
	switch t.r.Intn(6) {
	case 0:
		return true, writeCheckpoint(name+".parquet", append(table, files...))
	case 1, 2:
		n, missing, all := 2+t.r.Intn(2), t.r.Intn(9), append(table, files...)
		for i := range n {
			if i == missing {
				continue
			}
			if err := writeCheckpoint(fmt.Sprintf("%s.%010d.%010d.parquet", name, i+1, n), all[i*len(all)/n:(i+1)*len(all)/n]); err != nil {
				return false, err
			}
		}
		return missing >= n, nil
	}
	manifest := append(table, Action{Checkpoint: &Checkpoint{Version: int64(v)}})
	if t.r.Intn(3) == 0 {
		manifest = append(manifest, files...)
	} else if manifest, err = t.sidecars(manifest, files, v); err != nil {
		return false, err
	}
	uuid := fmt.Sprintf("%08x-0000-4000-8000-%012x", t.r.Uint32(), t.r.Int63()&0xffffffffffff)
	switch t.r.Intn(3) {
	case 0:
		err = writeCheckpoint(name+".parquet", manifest)
	case 1:
		err = writeCheckpoint(name+"."+uuid+".parquet", manifest)
	default:
		err = writeJSON(name+"."+uuid+".json", manifest)
	}
	return true, err
}

// sidecars puts files into one to three sidecars.
func (t *Table) sidecars(manifest, files []Action, v int) ([]Action, error) {
	n := 1 + t.r.Intn(3)
	for i := range n {
		name := fmt.Sprintf("%d-%d-%x.parquet", v, i, t.r.Int63())
		full := filepath.Join(t.Dir, "_delta_log", "_sidecars", name)
		if err := writeCheckpoint(full, files[i*len(files)/n:(i+1)*len(files)/n]); err != nil {
			return nil, err
		}
		info, err := os.Stat(full)
		if err != nil {
			return nil, err
		}
		manifest = append(manifest, Action{Sidecar: &Sidecar{Path: name, Size: info.Size(), Modified: time.Now().UnixMilli()}})
	}
	return manifest, nil
}

// compact writes a compaction of some commits up to a version: of each logical file, and of
// protocol and metadata, the last action.
func (t *Table) compact(v int) error {
	from := t.First + t.r.Intn(v-t.First+1)
	if from == v {
		return nil
	}
	last := map[string]Action{}
	for _, actions := range t.log[from : v+1] {
		for _, a := range actions {
			switch {
			case a.Add != nil:
				last[key(a.Add.Path, a.Add.Vector)] = a
			case a.Remove != nil:
				last[key(a.Remove.Path, a.Remove.Vector)] = a
			default:
				text, err := json.Marshal(a)
				if err != nil {
					return err
				}
				last[string(text[:4])] = a
			}
		}
	}
	var out []Action
	for _, a := range last {
		out = append(out, a)
	}
	return writeJSON(filepath.Join(t.Dir, "_delta_log", version(int64(from))+"."+version(int64(v))+".compacted.json"), out)
}
