package rowstore_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/parquetsql/parquetsql/exec/exectest"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// TestRows keeps rows of all storages in several chunks and reads them by number.
func TestRows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	list := vector.ListOf(vector.Field{Name: "e", Type: vector.Of(vector.Varchar), Nullable: true})
	schema := append(exectest.Wide[:len(exectest.Wide):len(exectest.Wide)], vector.Column{Name: "list", Type: list, Nullable: true})
	var types []vector.Type
	for _, c := range schema {
		types = append(types, c.Type)
	}
	for range 2 {
		// Few different rows, many times.
		pool := exectest.WideRows(r, 500)
		for i := range pool {
			pool[i] = append(pool[i], exectest.RandomList(r, list))
			pool[i][exectest.Str].Null = i%3 == 0
		}
		rows := rowstore.New(types)
		var want []exectest.Row
		for rows.Chunks() < 3 {
			source := exectest.NewSource(schema, pool, vector.BatchSize, r)
			for {
				b, err := source.Next(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				if b == nil {
					break
				}
				// One batch many times reaches the third chunk sooner.
				var part []exectest.Row
				for i := range b.Rows() {
					var row exectest.Row
					for _, v := range b.Cols {
						row = append(row, v.Get(b.Row(i)))
					}
					part = append(part, row)
				}
				for range 30 {
					if err := rows.Append(b.Cols, b.Sel, b.Len); err != nil {
						t.Fatal(err)
					}
					want = append(want, part...)
				}
			}
		}
		if rows.Len() != len(want) || rows.Bytes() < int64(len(want))*100 || rows.Used() > rows.Bytes() {
			t.Errorf("%d rows of %d, %d bytes, %d used", rows.Len(), len(want), rows.Bytes(), rows.Used())
		}
		g := rows.NewGatherer()
		numbers := make([]uint32, 300)
		for i := range numbers {
			numbers[i] = r.Uint32N(uint32(len(want)))
		}
		g.Select(numbers)
		out := &vector.Vector{}
		for c := range types {
			if err := g.Column(c, out); err != nil {
				t.Fatal(err)
			}
			for i, row := range numbers {
				if got := exectest.Text(out.Get(i)); got != exectest.Text(want[row][c]) {
					t.Fatalf("column %d of row %d is %s, want %s", c, row, got, exectest.Text(want[row][c]))
				}
			}
		}
		rows.Reset()
		if rows.Len() != 0 || rows.Used() > 64 {
			t.Errorf("after Reset %d rows, %d bytes used", rows.Len(), rows.Used())
		}
		if rows.Clear(); rows.Bytes() != 0 {
			t.Errorf("after Clear %d bytes", rows.Bytes())
		}
	}
}

// TestSharedStrings: strings that are not cloned count, those of a dictionary at
// most once.
func TestSharedStrings(t *testing.T) {
	long := string(make([]byte, 100_000))
	typ := vector.Of(vector.Varchar)
	flat := vector.New(typ, 2)
	flat.Str[0], flat.Str[1], flat.Texts = long, long+"x", vector.Shared
	dict := &vector.Vector{Type: typ, Form: vector.Dictionary, Len: 2, Dict: flat, Codes: []int32{1, 1}}
	for _, c := range []struct {
		name  string
		share bool
		v     *vector.Vector
		want  int64
	}{
		{"cloned", false, flat, 400_002}, {"shared", true, flat, 400_002}, {"dictionary", false, dict, 200_001},
		{"shared dictionary", true, dict, 200_001}, {"constant", true, vector.NewConstant(vector.StringScalar(long), 5), 200_000},
	} {
		col := rowstore.NewColumn(typ)
		col.Share = c.share
		for range 2 {
			if err := col.Append(c.v, nil); err != nil {
				t.Fatal(err)
			}
		}
		if got := col.StringBytes(); got < c.want || got > c.want+c.want/2 {
			t.Errorf("%s: %d bytes, want %d", c.name, got, c.want)
		}
	}
}

// TestChunksStay: rows of NewChunks are never moved, and need at most about twice their memory.
func TestChunksStay(t *testing.T) {
	most := 1000
	r := rowstore.NewChunks([]vector.Type{vector.Of(vector.BigInt)}, most)
	v := vector.New(vector.Of(vector.BigInt), 100)
	var first *int64
	var b vector.Batch
	for n := 0; n < 5000; n += 100 {
		for i := range v.I64 {
			v.I64[i] = int64(n + i)
		}
		if err := r.Append([]*vector.Vector{v}, nil, 100); err != nil {
			t.Fatal(err)
		}
		r.Chunk(0, &b)
		if first == nil {
			first = &b.Cols[0].I64[0]
		}
		if &b.Cols[0].I64[0] != first {
			t.Fatalf("the first chunk was moved for %d rows", n)
		}
		if most := int64(2*8*(n+100) + 1<<10); r.Bytes() > most {
			t.Errorf("%d rows of 8 bytes hold %d bytes", n+100, r.Bytes())
		}
	}
	at := 0
	for i := range r.Chunks() {
		if r.Chunk(i, &b); b.Len > most {
			t.Errorf("a chunk has %d rows", b.Len)
		}
		for _, x := range b.Cols[0].I64[:b.Len] {
			if x != int64(at) {
				t.Fatalf("row %d is %d", at, x)
			}
			at++
		}
	}
	if at != 5000 {
		t.Errorf("%d rows came back", at)
	}
}
