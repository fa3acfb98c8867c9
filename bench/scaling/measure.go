package scaling

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
)

// Measured is a run of a query.
type Measured struct {
	Stages                    []Stage
	Tasks                     int
	Partitions                int
	Gets, Puts, Lists, Delete int
	Written, Read             int64
	Manifests                 int64 // bytes of those that are read
	Skew                      float64
}

// Splits is how many tasks each stage has.
func (m *Measured) Splits() (out []int) {
	for _, s := range m.Stages {
		out = append(out, s.Tasks)
	}
	return out
}

// manifest is what is counted of the exchange's manifests.
type manifest struct {
	Rows     int64 `json:"rows"`
	Bytes    int64 `json:"bytes"`
	Segments []struct {
		Partition uint64 `json:"partition"`
		Length    int64  `json:"length"`
	} `json:"segments"`
}

// Measure runs a query. run runs a fragment over a Counted of folder, in this process or in another one; Counts
// reads what they have done.
func Measure(ctx context.Context, dsn, query string, o parquetsql.StageOptions, folder string, parallel int, run func(context.Context, *fragments.Fragment) error) (m *Measured, err error) {
	stages, err := stagesOf(ctx, dsn, query, o)
	if err != nil {
		return nil, err
	}
	plan, err := fragments.New(ctx, fragments.Query{DSN: dsn, SQL: query, StageOptions: o})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, plan.Close()) }()
	if err := plan.Do(ctx, parallel, 1, run); err != nil {
		return nil, err
	}
	store, err := NewCounted(folder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	rows, err := plan.Rows(ctx, store)
	if err != nil {
		return nil, err
	}
	if err := drain(rows); err != nil {
		return nil, err
	}
	m = &Measured{Stages: stages, Tasks: len(plan.Fragments), Skew: 1, Partitions: plan.Last().Options.Partitions}
	last := plan.Last()
	for i := range m.Stages {
		m.Stages[i].Tasks = last.Tasks[i]
	}
	for _, f := range plan.Fragments {
		for _, s := range f.Splits {
			m.Stages[f.Stage].Scanned += s.Bytes
		}
	}
	for i := range m.Stages[:len(m.Stages)-1] {
		if err := m.read(ctx, store.Store, plan.ID, i); err != nil {
			return nil, err
		}
	}
	if err := fragments.Clean(ctx, store, plan.ID); err != nil {
		return nil, err
	}
	return m, m.count(folder)
}

func drain(rows *sql.Rows) error {
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}

// stagesOf are the stages of a query's plan.
func stagesOf(ctx context.Context, dsn, query string, o parquetsql.StageOptions) (out []Stage, err error) {
	db, err := sql.Open("parquet", dsn)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	err = conn.Raw(func(c any) error {
		stages, err := parquetsql.CutStages(ctx, c, parquetsql.StageSnapshot{Now: time.Now()}, o, query)
		if err != nil {
			return err
		}
		for _, s := range stages.Stages() {
			out = append(out, Stage{Inputs: s.Inputs, Divided: s.Divided, Splits: s.Splits})
		}
		return nil
	})
	return out, err
}

// read adds what the manifests of a stage say.
func (m *Measured) read(ctx context.Context, store fragments.Store, id string, stage int) error {
	s := &m.Stages[stage]
	parts := map[uint64]int64{}
	for task := range s.Tasks {
		data, err := store.ReadAll(ctx, path.Join(id, strconv.Itoa(stage), strconv.Itoa(task), "manifest"))
		if err != nil {
			return err
		}
		var x manifest
		if err := json.Unmarshal(data, &x); err != nil {
			return err
		}
		s.Rows, s.Bytes, s.Segments = s.Rows+x.Rows, s.Bytes+x.Bytes, s.Segments+int64(len(x.Segments))
		for _, segment := range x.Segments {
			parts[segment.Partition] += segment.Length
		}
	}
	for _, n := range parts {
		s.Largest = max(s.Largest, n)
	}
	if s.Divided && s.Bytes > 0 {
		m.Skew = max(m.Skew, float64(s.Largest)*float64(m.Partitions)/float64(s.Bytes))
	}
	return nil
}

// count reads and removes what the processes have noted.
func (m *Measured) count(folder string) error {
	name := notes(folder)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		kind, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return fmt.Errorf("%s: %q", name, line)
		}
		switch kind {
		case "put":
			m.Puts++
			m.Written += n
		case "get":
			m.Gets++
			m.Read += n
		case "manifest":
			m.Gets++
			m.Manifests += n
		case "list":
			m.Lists++
		case "delete":
			m.Delete++
		}
	}
	return os.Remove(name)
}
