package platforms

import (
	"context"
	"reflect"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/databaseio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/direct"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
)

// airport is an element of the pipeline. Workers read the DSN, so its options travel with it.
type airport struct {
	IATA     string  `column:"iata"`
	State    string  `column:"state"`
	Latitude float64 `column:"latitude"`
}

func stateOf(a airport) string { return a.State }

func isMany(state string, n int, emit func(string)) {
	if n > 200 {
		emit(state)
	}
}

func init() {
	beam.RegisterType(reflect.TypeFor[airport]())
	register.Function1x1(stateOf)
	register.Function3x0(isMany)
	register.Emitter1[string]()
}

// TestBeam counts rows of a query by a column, in Beam instead of SQL.
func TestBeam(t *testing.T) {
	beam.Init()
	p, s := beam.NewPipelineWithRoot()
	airports := databaseio.Query(s, "parquet", location+"?parallelism=1",
		"SELECT iata, state, latitude FROM airports WHERE country = 'USA' AND state IS NOT NULL", reflect.TypeFor[airport]())
	states := beam.ParDo(s, stateOf, airports)
	many := beam.ParDo(s, isMany, stats.Count(s, states))
	passert.Equals(s, many, "AK", "TX", "CA")
	if _, err := direct.Execute(context.Background(), p); err != nil {
		t.Fatal(err)
	}
}
