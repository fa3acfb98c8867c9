package fragments

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// manifest says which attempt of a task counts. Its segments are in the order in which rows were made.
type manifest struct {
	Format   int       `json:"format"`
	Hash     string    `json:"hash"` // of the plan
	File     string    `json:"file"` // of the rows, below the task's folder
	Rows     int64     `json:"rows"`
	Bytes    int64     `json:"bytes"`
	Segments []segment `json:"segments"`
}

// segment is rows of one partition: a stream of Arrow's IPC.
type segment struct {
	Partition uint64 `json:"partition"`
	Offset    int64  `json:"offset"`
	Length    int64  `json:"length"`
	Sum       uint32 `json:"sum"` // CRC-32C
}

const manifestName = "/manifest"

// ErrNotReady is the error of a fragment that reads a task which is not done, or whose manifest is not
// seen yet: to run it again later helps.
var ErrNotReady = errors.New("a task that the fragment reads is not done")

// ErrOtherPlan is the error of a worker that makes another plan of a fragment: the tables are others by
// now, or its version of the driver.
var ErrOtherPlan = errors.New("the worker makes another plan")

// readManifest reads that of a task.
func readManifest(ctx context.Context, s Store, id string, stage, task int, hash string) (*manifest, error) {
	name := folder(id, stage, task)
	data, err := s.ReadAll(ctx, name+manifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", name, ErrNotReady)
	}
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(data, m); err != nil {
		return nil, fmt.Errorf("manifest of %s: %w", name, err)
	}
	if m.Format != formatVersion || m.Hash != hash {
		return nil, fmt.Errorf("manifest of %s: format %d of plan %s, not %d of %s: %w", name, m.Format, m.Hash, formatVersion, hash, ErrOtherPlan)
	}
	return m, nil
}

// commit makes an attempt the one that counts; false if another one does.
func commit(ctx context.Context, s Store, f *Fragment, m *manifest) (bool, error) {
	data, err := json.Marshal(m)
	if err != nil {
		return false, err
	}
	err = s.CreateNew(ctx, folder(f.ID, f.Stage, f.Task)+manifestName, data)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}
