package planner

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/stages"
)

// explainStages shows how several machines would run a query: stages, tasks, and what they read.
func (r *run) explainStages(q *ast.Query) (*operators.Plan, error) {
	var lines []string
	st := &Staged{run: r, options: StageOptions{}.filled()}
	refused := st.cut(q)
	if errors.Is(refused, stages.ErrGather) {
		lines = append(lines, "only with allow_gather: "+refused.Error())
		st.options.AllowGather = true
		refused = st.cut(q)
	}
	if refused != nil {
		return nil, refused
	}
	splits, counts := map[int][][]Split{}, map[int]int{}
	for i := range st.plan.Stages {
		var err error
		if splits[i], err = st.Splits(r.ctx, i); err != nil {
			return nil, err
		}
		counts[i] = len(splits[i])
		shared, err := st.Shared(r.ctx, i)
		if err != nil {
			return nil, err
		}
		splits[i] = append(splits[i], shared)
	}
	tasks := st.plan.Tasks(counts)
	lines = append(lines, st.described(func(s *stages.Stage) string {
		text := ", " + errs.Count(tasks[s.Number], "task")
		if s.Split == nil && s.Whole == nil {
			return text
		}
		bytes, groups := int64(0), 0
		for _, task := range splits[s.Number] {
			for _, x := range task {
				bytes, groups = bytes+x.Bytes, groups+x.To-x.From
			}
		}
		return fmt.Sprintf("%s, %s, %d bytes", text, errs.Count(groups, "row group"), bytes)
	})...)
	return r.start(bind.TextRows(&logical.IDs{}, []string{explained[0].Name}, bind.TextColumn(lines)))
}
