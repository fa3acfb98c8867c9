package reader

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/probe"
)

// testedBytes is about what a test of an expression leaves behind, as what evaluates its least and its greatest value.
const testedBytes = 16 << 10

// test is what a probe says of rows. Those of thousands of conjuncts leave so much behind that the budget has to know of it.
func (s *Scan) test(p probe.Probe, get func(int) *probe.Summary) probe.Verdict {
	if len(s.probes) > expr.KeptOperands {
		s.request.Budget.Made(testedBytes)
	}
	return p.Test(get)
}

// tested is a probe of a scan whose tests are test.
type tested struct {
	probe.Probe
	scan *Scan
}

// Test implements probe.Probe.
func (t tested) Test(get func(int) *probe.Summary) probe.Verdict { return t.scan.test(t.Probe, get) }
