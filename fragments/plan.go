package fragments

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/parquetsql/parquetsql"
)

// formatVersion is that of fragments, manifests and exchanged rows.
const formatVersion = 1

// Query is what is to be run.
type Query struct {
	DSN  string
	SQL  string
	Args []any // numbers, texts, bytes, times, NULL, and sql.Named of them
	parquetsql.StageOptions
}

// Fragment is what one task does. It is self-contained: a worker needs nothing else but the files, the
// exchange and its own secrets.
type Fragment struct {
	Format   int                      `json:"format"`
	ID       string                   `json:"id"` // of the query's run: where its exchanges are
	DSN      string                   `json:"dsn"`
	SQL      string                   `json:"sql"`
	Args     []Arg                    `json:"args,omitempty"`
	Options  parquetsql.StageOptions  `json:"options"`
	Snapshot parquetsql.StageSnapshot `json:"snapshot"` // the moment and the tables of all tasks
	Hash     string                   `json:"hash"`
	Stage    int                      `json:"stage"`
	Task     int                      `json:"task"`
	Splits   []parquetsql.Split       `json:"splits,omitempty"`
	Tasks    []int                    `json:"tasks"` // of each stage
	// DependsOn are the stages all of whose tasks have to be done before.
	DependsOn []int `json:"depends_on,omitempty"`
}

// Name is the fragment's name among those of its query.
func (f *Fragment) Name() string { return strconv.Itoa(f.Stage) + "/" + strconv.Itoa(f.Task) }

func (f *Fragment) check() error {
	switch {
	case f.Format != formatVersion:
		return fmt.Errorf("a fragment of format %d, this version has format %d", f.Format, formatVersion)
	case !idForm.MatchString(f.ID):
		return fmt.Errorf("%q is no name of a query's run", f.ID)
	case f.Stage < 0 || f.Task < 0 || f.Stage >= len(f.Tasks) || f.Task >= f.Tasks[f.Stage]:
		return fmt.Errorf("there is no task %d of stage %d", f.Task, f.Stage)
	}
	return nil
}

var idForm = regexp.MustCompile(`^[0-9A-Za-z_-]{1,100}$`)

// Plan is a query that is cut into fragments. The last stage is none of them: Rows runs it.
type Plan struct {
	ID        string
	Fragments []*Fragment // each after those that it depends on
	last      *Fragment   // of the last stage

	made *made
}

// New cuts a query into fragments. ctx bounds the planning, which opens the files of the tables and reads
// no page of them.
func New(ctx context.Context, q Query) (*Plan, error) {
	config, err := parquetsql.ParseDSN(q.DSN)
	if err != nil {
		return nil, err
	}
	public, err := config.WithoutSecrets()
	if err != nil {
		return nil, err
	}
	args, err := argsOf(q.Args)
	if err != nil {
		return nil, err
	}
	id, err := newID()
	if err != nil {
		return nil, err
	}
	base := Fragment{Format: formatVersion, ID: id, DSN: public.FormatDSN(), SQL: q.SQL, Args: args, Options: q.StageOptions, Snapshot: parquetsql.StageSnapshot{Now: time.Now().UTC()}}
	m, err := replan(ctx, config, &base)
	if err != nil {
		return nil, err
	}
	p := &Plan{ID: id, made: m}
	if err := p.divide(ctx, base); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return p, nil
}

// divide makes the fragments.
func (p *Plan) divide(ctx context.Context, base Fragment) error {
	list := p.made.stages.Stages()
	splits, counts := make([][][]parquetsql.Split, len(list)), map[int]int{}
	for i, s := range list {
		if !s.Splits {
			continue
		}
		var err error
		if splits[i], err = p.made.stages.Splits(ctx, i); err != nil {
			return err
		}
		counts[i] = len(splits[i])
	}
	base.Options.Partitions = p.made.stages.Partitions() // whatever size the tables have for a worker
	base.Snapshot = p.made.stages.Snapshot()
	base.Hash, base.Tasks = p.made.stages.Hash(), p.made.stages.Tasks(counts)
	for i, s := range list {
		shared, err := p.made.stages.Shared(ctx, i)
		if err != nil {
			return err
		}
		for n := range base.Tasks[i] {
			f := base
			f.Stage, f.Task, f.Splits = i, n, shared
			if n < len(splits[i]) {
				f.Splits = slices.Concat(splits[i][n], shared)
			}
			for _, in := range s.Inputs {
				f.DependsOn = append(f.DependsOn, in.From...)
			}
			if i < len(list)-1 {
				p.Fragments = append(p.Fragments, &f)
			} else {
				p.last = &f
			}
		}
	}
	if p.last == nil {
		return errors.New("internal error: the last stage has no task")
	}
	return nil
}

// Text describes the stages for people.
func (p *Plan) Text() []string { return p.made.stages.Text() }

// Close ends the use of the plan.
func (p *Plan) Close() error { return p.made.Close() }

// made is the stages of a fragment's query in this process.
type made struct {
	db     *sql.DB
	conn   *sql.Conn
	stages *parquetsql.Stages
	cancel context.CancelFunc
}

// replan plans the query of a fragment.
func replan(ctx context.Context, config *parquetsql.Config, f *Fragment) (_ *made, err error) {
	args, err := values(f.Args)
	if err != nil {
		return nil, err
	}
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		return nil, err
	}
	m := &made{db: sql.OpenDB(connector)}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.Close())
		}
	}()
	// The plan is used longer than this context lives, which ends no more than the planning.
	var cancel context.CancelFunc
	outer := ctx
	ctx, cancel = context.WithCancel(context.WithoutCancel(outer))
	m.cancel = cancel
	defer context.AfterFunc(outer, cancel)()
	if m.conn, err = m.db.Conn(ctx); err != nil {
		return nil, err
	}
	err = m.conn.Raw(func(c any) (err error) {
		m.stages, err = parquetsql.CutStages(ctx, c, f.Snapshot, f.Options, f.SQL, args...)
		return err
	})
	return m, err
}

// Close closes the connection, once.
func (m *made) Close() (err error) {
	if m.cancel != nil {
		m.cancel()
	}
	if m.conn != nil {
		err = m.conn.Close()
		m.conn = nil
	}
	return errors.Join(err, m.db.Close())
}

// newID is a name that no other run of a query has.
func newID() (string, error) {
	var b [10]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return time.Now().UTC().Format("20060102T150405") + "-" + hex.EncodeToString(b[:]), nil
}

// folder is where the files of a task are.
func folder(id string, stage, task int) string {
	return path.Join(id, strconv.Itoa(stage), strconv.Itoa(task))
}

// Clean removes all files of the exchanges of a query. It is called when no worker runs a fragment of it
// any more; what one writes later stays.
func Clean(ctx context.Context, s Store, id string) error {
	if !idForm.MatchString(id) {
		return fmt.Errorf("%q is no name of a query's run", id)
	}
	if all, ok := s.(interface {
		RemoveAll(ctx context.Context, prefix string) error
	}); ok {
		return all.RemoveAll(ctx, id+"/")
	}
	names, err := s.List(ctx, id+"/")
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := s.Remove(ctx, name); err != nil {
			return err
		}
	}
	return nil
}
