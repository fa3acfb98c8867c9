package wire

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/parquetsql/parquetsql"
)

// TestMoments has pgx read the bytes of timestamps of all years that PostgreSQL has.
func TestMoments(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	ends := []int64{commonFrom, commonTo, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), 0, time.Date(-4000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()}
	var moments []time.Time
	for range 10_000 {
		moments = append(moments, time.Unix(ends[r.IntN(len(ends))]+r.Int64N(5)-2, r.Int64N(2_000_000)*500%1e9).UTC(),
			time.Unix(r.Int64N(commonTo-commonFrom)+commonFrom, r.Int64N(1e9)).UTC())
	}
	field := Of(parquetsql.ColumnSchema{Type: "TIMESTAMP"}).Field(1, Style{})
	field.Begin(&parquetsql.BatchColumn{Values: moments})
	types := pgtype.NewMap()
	for i, want := range moments {
		row, err := field.Append(nil, i)
		if err != nil {
			t.Fatal(err)
		}
		var got time.Time
		if err := types.Scan(Timestamp, pgtype.BinaryFormatCode, row[4:], &got); err != nil {
			t.Fatal(err)
		}
		if want = want.Round(time.Microsecond); !got.Equal(want) {
			t.Fatalf("%s reads as %s, seed %d", want, got, seed)
		}
	}
}
