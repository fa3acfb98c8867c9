package parquetbeam

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments"
)

// Exchange is a folder that all workers see, for the rows that tasks exchange. It stands among the
// arguments of Query, and is needed. The files of a query are removed when its rows are there.
type Exchange string

// Query adds a query to the pipeline. Its rows are a PCollection of Row. The arguments are those of the
// statement, and among them an Exchange and, if wanted, parquetsql.StageOptions. The query is planned now,
// over the files as they are now. It panics where TryQuery has an error, as Beam's transforms do.
func Query(s beam.Scope, dsn, sql string, args ...any) beam.PCollection {
	rows, err := TryQuery(s, dsn, sql, args...)
	if err != nil {
		panic(err)
	}
	return rows
}

// TryQuery is Query with an error.
func TryQuery(s beam.Scope, dsn, sql string, args ...any) (_ beam.PCollection, err error) {
	q := fragments.Query{DSN: dsn, SQL: sql}
	exchange := ""
	for _, a := range args {
		switch a := a.(type) {
		case Exchange:
			exchange = string(a)
		case parquetsql.StageOptions:
			q.StageOptions = a
		default:
			q.Args = append(q.Args, a)
		}
	}
	if exchange == "" {
		return beam.PCollection{}, errors.New("parquetbeam: an argument Exchange has to name the folder through which tasks exchange rows")
	}
	plan, err := fragments.New(context.Background(), q)
	if err != nil {
		return beam.PCollection{}, fmt.Errorf("parquetbeam: %w", err)
	}
	defer func() { err = errors.Join(err, plan.Close()) }()
	return pipeline(s.Scope("parquetbeam.Query"), plan, exchange)
}

// pipeline has a step for each stage. Its tasks wait for those of the stages that they read: the numbers of
// tasks that are done are a side input.
func pipeline(s beam.Scope, plan *fragments.Plan, exchange string) (beam.PCollection, error) {
	done := map[int]beam.PCollection{}
	for from := 0; from < len(plan.Fragments); {
		first := plan.Fragments[from]
		to := from
		for to < len(plan.Fragments) && plan.Fragments[to].Stage == first.Stage {
			to++
		}
		tasks, err := elements(s, plan.Fragments[from:to])
		if err != nil {
			return beam.PCollection{}, err
		}
		name := s.Scope(fmt.Sprintf("stage %d", first.Stage))
		if before, waits := after(name, first, done); waits {
			done[first.Stage] = beam.ParDo(name, &waitingTask{Exchange: exchange}, tasks, beam.SideInput{Input: before})
		} else {
			done[first.Stage] = beam.ParDo(name, &task{Exchange: exchange}, tasks)
		}
		from = to
	}
	last := plan.Last()
	tasks, err := elements(s, []*fragments.Fragment{last})
	if err != nil {
		return beam.PCollection{}, err
	}
	name := s.Scope("rows")
	before, waits := after(name, last, done)
	if !waits {
		rows, _ := beam.ParDo2(name, &rows{Exchange: exchange}, tasks)
		return rows, nil
	}
	out, ended := beam.ParDo2(name, &waitingRows{Exchange: exchange}, tasks, beam.SideInput{Input: before})
	beam.ParDo0(s.Scope("clean"), &clean{Exchange: exchange}, beam.Create(s, plan.ID), beam.SideInput{Input: ended})
	return out, nil
}

// elements are fragments as elements, which the runner may divide among workers.
func elements(s beam.Scope, list []*fragments.Fragment) (beam.PCollection, error) {
	texts := make([][]byte, len(list))
	for i, f := range list {
		var err error
		if texts[i], err = f.Marshal(); err != nil {
			return beam.PCollection{}, fmt.Errorf("parquetbeam: %w", err)
		}
	}
	return beam.Reshuffle(s, beam.CreateList(s, texts)), nil
}

// after is what the stages before a fragment have done.
func after(s beam.Scope, f *fragments.Fragment, done map[int]beam.PCollection) (_ beam.PCollection, waits bool) {
	stages := slices.Clone(f.DependsOn)
	slices.Sort(stages)
	var all []beam.PCollection
	for _, stage := range slices.Compact(stages) {
		all = append(all, done[stage])
	}
	switch len(all) {
	case 0:
		return beam.PCollection{}, false
	case 1:
		return all[0], true
	}
	return beam.Flatten(s, all...), true
}
