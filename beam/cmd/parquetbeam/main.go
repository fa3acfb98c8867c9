// Command parquetbeam runs a query on a runner of Apache Beam, and writes its rows as lines of JSON, each an
// array of the values:
//
//	parquetbeam -runner prism -dsn /data/sales -exchange /mnt/shared/exchange -out rows.json -sql "SELECT …"
//
// The flags of Beam's Go SDK choose the runner and say where it is: -runner flink -endpoint host:8099.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/textio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"

	"github.com/parquetsql/parquetsql"
	parquetbeam "github.com/parquetsql/parquetsql/beam"
)

var (
	dsn        = flag.String("dsn", "", "where the files are")
	statement  = flag.String("sql", "", "the query")
	out        = flag.String("out", "", "the file of the rows")
	exchange   = flag.String("exchange", "", "a folder that all workers see")
	split      = flag.Int64("split", 0, "about how many bytes a split has; 0: 128 MiB")
	partitions = flag.Int("partitions", 0, "into how many partitions rows are divided; 0: as many as there are splits")
	gather     = flag.Bool("allow-gather", false, "one worker may have all rows where they cannot be divided")
)

func init() { register.Function1x2(line) }

// line is a row as JSON. NaN and infinities, which JSON has no numbers for, are texts.
func line(r parquetbeam.Row) (string, error) {
	values := slices.Clone(r.Values)
	for i, v := range values {
		f, ok := v.(float64)
		if narrow, is := v.(float32); is {
			f, ok = float64(narrow), true
		}
		switch {
		case ok && math.IsNaN(f):
			values[i] = "NaN"
		case ok && math.IsInf(f, 1):
			values[i] = "Infinity"
		case ok && math.IsInf(f, -1):
			values[i] = "-Infinity"
		}
	}
	text, err := json.Marshal(values)
	return string(text), err
}

func main() {
	flag.Parse()
	beam.Init() // a worker runs from here on, and does not return
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	if *dsn == "" || *statement == "" || *out == "" || *exchange == "" {
		return errors.New("-dsn, -sql, -out and -exchange are needed")
	}
	p, s := beam.NewPipelineWithRoot()
	rows, err := parquetbeam.TryQuery(s, *dsn, *statement, parquetbeam.Exchange(*exchange),
		parquetsql.StageOptions{SplitBytes: *split, Partitions: *partitions, AllowGather: *gather})
	if err != nil {
		return err
	}
	textio.Write(s, *out, beam.ParDo(s, line, rows))
	if err := beamx.Run(context.Background(), p); err != nil {
		return fmt.Errorf("the pipeline: %w", err)
	}
	return nil
}
