package rowstore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/parquetsql/parquetsql/vector"
)

// TestScatter gives rows to two stores whose chunks have room for two rows.
func TestScatter(t *testing.T) {
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.Varchar)}
	stores := []*Rows{NewChunks(types, 2), NewChunks(types, 2)}
	from := []*Column{NewColumn(types[0]), NewColumn(types[1])}
	from[1].Share = true
	numbers, texts := vector.New(types[0], 7), vector.New(types[1], 7)
	for i := range 7 {
		numbers.I64[i], texts.Str[i] = int64(i), fmt.Sprint(i, "xxxxxxxxxxxxxxxxxxx") // of twenty bytes, which are not copied
	}
	numbers.SetNull(6)
	texts.Texts = vector.Shared
	add(t, from[0].Append(numbers, nil))
	add(t, from[1].Append(texts, nil))
	var s Scatter
	add(t, s.Append(stores, from, make([]bool, 2), []int32{6, 1, 2, 3, 0}, []int32{4, 5}))
	add(t, s.Append(stores, from, make([]bool, 2), []int32{4, 5}, []int32{1, 2}))
	for i, want := range []string{"[null 1 2 3 4] [6 1 2 3 4]", "[0 5] [0 5]"} {
		var rows [2][]string
		var b vector.Batch
		for k := range stores[i].Chunks() {
			stores[i].Chunk(k, &b)
			for row := range b.Len {
				number := "null"
				if !b.Cols[0].IsNull(row) {
					number = fmt.Sprint(b.Cols[0].I64[row])
				}
				rows[0], rows[1] = append(rows[0], number), append(rows[1], b.Cols[1].Str[row][:1])
			}
		}
		if got := fmt.Sprint(rows[0], " ", rows[1]); got != want {
			t.Errorf("store %d has %s, want %s", i, got, want)
		}
		for k, chunk := range stores[i].chunks {
			if got := chunk[1].StringBytes(); got != int64(20*chunk[1].Vec.Len) {
				t.Errorf("store %d: %d bytes of texts are counted in chunk %d", i, got, k)
			}
		}
	}
	if slices.ContainsFunc(stores, func(r *Rows) bool { return r.Bytes() < r.Used() }) {
		t.Error("the stores need more than they hold")
	}
}

// TestScatterCopies: copied texts lie together, those under NULLs are gone, and their memory is
// that of their own column.
func TestScatterCopies(t *testing.T) {
	types := []vector.Type{vector.Of(vector.Varchar)}
	stores := []*Rows{NewChunks(types, 8), NewChunks(types, 8)}
	from := []*Column{NewColumn(types[0])}
	from[0].Share = true
	texts := vector.New(types[0], 4)
	copy(texts.Str, []string{"one", "two", strings.Repeat("x", 9000), "four"})
	texts.SetNull(2)
	add(t, from[0].Append(texts, nil))
	var s Scatter
	add(t, s.Append(stores, from, []bool{true}, []int32{3, 0, 2, 1}, []int32{3, 4}))
	clear(from[0].Vec.Str)
	for i, want := range []string{"four one NULL", "two"} {
		var got []string
		var b vector.Batch
		stores[i].Chunk(0, &b)
		for row := range b.Len {
			text := b.Cols[0].Str[row]
			if b.Cols[0].IsNull(row) {
				text += "NULL"
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("store %d has %q, want %s", i, got, want)
		}
		if n := stores[i].copied(); n < int64(len(want))-6 || n > 1000 {
			t.Errorf("the texts of store %d have %d bytes", i, n)
		}
	}
}

// TestTexts mixes texts that are copied and such that are shared in one chunk, and copies only
// those that a text without pointers is as short as.
func TestTexts(t *testing.T) {
	types := []vector.Type{vector.Of(vector.Varchar)}
	stores := []*Rows{NewChunks(types, 64)}
	var want []string
	var s Scatter
	for round, c := range []struct {
		text           string
		copied, shares bool
	}{{"short", false, false}, {strings.Repeat("long", 20), false, true}, {strings.Repeat("LONG", 20), true, false}, {"", false, false}, {"end", true, false}} {
		v := vector.New(types[0], 3)
		for i := range v.Str {
			v.Str[i] = strings.Clone(c.text)
		}
		v.Texts = vector.Shared
		if round > 1 {
			v.SetNull(1)
		}
		from := []*Column{NewColumn(types[0])}
		from[0].Share = true
		add(t, from[0].Append(v, nil))
		add(t, s.Append(stores, from, []bool{c.copied}, []int32{2, 1, 0}, []int32{3}))
		var b vector.Batch
		stores[0].Chunk(0, &b)
		for i, row := range []int{2, 1, 0} {
			if v.IsNull(row) {
				want = append(want, "NULL")
				continue
			}
			want = append(want, c.text)
			got := b.Cols[0].Str[b.Len-3+i]
			if shares := len(got) > 0 && unsafe.StringData(got) == unsafe.StringData(v.Str[row]); shares != c.shares {
				t.Errorf("round %d: shares %v", round, shares)
			}
		}
	}
	var b vector.Batch
	stores[0].Chunk(0, &b)
	var got []string
	for i := range b.Len {
		text := b.Cols[0].Str[i]
		if b.Cols[0].IsNull(i) {
			text += "NULL"
		}
		got = append(got, text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if used, held := stores[0].Used(), stores[0].Bytes(); used < 5*80 || held < used {
		t.Errorf("%d bytes of %d are used", used, held)
	}
	stores[0].Reset()
	if n := stores[0].Bytes(); n > 100 {
		t.Errorf("%d bytes are held after Reset", n)
	}
}

// TestScatterLost: a chunk that got rows without the last column does not have it, those before and
// behind it do, and so does the first one after a Reset.
func TestScatterLost(t *testing.T) {
	types := []vector.Type{vector.Of(vector.BigInt), vector.Of(vector.BigInt)}
	stores := []*Rows{NewChunks(types, leastRows)}
	from := []*Column{NewColumn(types[0]), NewColumn(types[1])}
	numbers := vector.New(types[0], leastRows)
	rows := make([]int32, leastRows)
	for i := range rows {
		numbers.I64[i], rows[i] = int64(i), int32(i)
	}
	for _, c := range from {
		add(t, c.Append(numbers, nil))
	}
	var s Scatter
	for round := range 2 {
		for _, part := range []struct {
			n    int
			with bool
		}{{leastRows, true}, {leastRows / 2, true}, {leastRows / 4, false}, {leastRows / 4, true}, {leastRows, round == 0}} {
			given := from
			if !part.with {
				given = []*Column{from[0], nil}
			}
			add(t, s.Append(stores, given, make([]bool, 2), rows[:part.n], []int32{int32(part.n)}))
		}
		for i, want := range []int{2, 1, 2 - round} {
			var b vector.Batch
			if stores[0].Chunk(i, &b); len(b.Cols) != want || b.Len != leastRows {
				t.Errorf("round %d: chunk %d has %d columns of %d rows, want %d", round, i, len(b.Cols), b.Len, want)
			}
			for _, c := range b.Cols {
				if c.Len != b.Len || c.I64[1] != 1 {
					t.Errorf("round %d: chunk %d has %d rows in a column, the second is %d", round, i, c.Len, c.I64[1])
				}
			}
		}
		before := stores[0].Bytes()
		if stores[0].Reset(); stores[0].Bytes() > before || stores[0].Used() != 0 {
			t.Errorf("round %d: %d bytes are held after a Reset and %d used, %d before it", round, stores[0].Bytes(), stores[0].Used(), before)
		}
	}
}

// TestTextsContinue: copies that are behind each other are one block, whenever they came, and the
// chunks of a store share memory for them.
func TestTextsContinue(t *testing.T) {
	types := []vector.Type{vector.Of(vector.Varchar)}
	store := NewChunks(types, 512)
	var want []string
	var s Scatter
	for i := range 4000 {
		v := vector.New(types[0], 1)
		v.Str[0] = fmt.Sprint("a text of some length: ", i)
		want = append(want, v.Str[0])
		from := []*Column{NewColumn(types[0])}
		from[0].Share = true
		add(t, from[0].Append(v, nil))
		add(t, s.Append([]*Rows{store}, from, []bool{true}, []int32{0}, []int32{1}))
	}
	var got []string
	var b vector.Batch
	blocks := 0
	for i := range store.Chunks() {
		store.Chunk(i, &b)
		got = append(got, b.Cols[0].Str[:b.Len]...)
		blocks += len(store.chunks[i][0].texts.blocks)
	}
	if !slices.Equal(got, want) {
		t.Error("the texts are not those that were added")
	}
	if arenas := store.copies[0].blocks; blocks >= store.Chunks()+arenas {
		t.Errorf("%d blocks in %d chunks and %d pieces of memory", blocks, store.Chunks(), arenas)
	}
	if held, text := store.Bytes(), int64(len(strings.Join(want, ""))); held > text+4*4000+text/2 {
		t.Errorf("%d bytes are held of texts of %d", held, text)
	}
}
