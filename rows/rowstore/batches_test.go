package rowstore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/vector"
)

// TestBatches appends texts in every form to a store of NewBatches, with NULLs and selections, of two dictionaries, and
// reads them: codes stay where a chunk has one dictionary, and lent texts are copied.
func TestBatches(t *testing.T) {
	text := vector.Of(vector.Varchar)
	types := []vector.Type{vector.Of(vector.BigInt), text}
	const n = 50
	dict := func(of string, owner vector.Texts) *vector.Vector {
		d := vector.New(text, 10)
		for i := range d.Str {
			d.Str[i] = strings.Repeat(fmt.Sprint(of, i), 1+100*(i%2))
		}
		d.Texts = owner
		return d
	}
	first, second, lent := dict("a", vector.Shared), dict("b", vector.Owned), dict("c", vector.Lent)
	coded := func(d *vector.Vector) *vector.Vector {
		v := &vector.Vector{Type: text, Form: vector.Dictionary, Len: n, Dict: d}
		for i := range n {
			v.Codes = append(v.Codes, int32(i%7))
		}
		v.SetNull(3)
		return v
	}
	flat := func(owner vector.Texts, long int) *vector.Vector {
		v := vector.New(text, n)
		for i := range v.Str {
			v.Str[i] = strings.Repeat(fmt.Sprint("f", i), long)
		}
		v.SetNull(n - 1)
		v.Texts = owner
		return v
	}
	null := vector.NewConstant(vector.NullOf(text), n)
	large := dict("d", vector.Owned)
	large.Str, large.Len = append(large.Str, make([]string, entriesPerRow*n)...), large.Len+entriesPerRow*n
	forms := []*vector.Vector{
		coded(first), coded(first), coded(second), flat(vector.Lent, 1), flat(vector.Owned, 40), coded(lent), null, coded(large), flat(vector.Shared, 300),
		vector.NewConstant(vector.Scalar{Type: text, Str: "one"}, n), vector.NewConstant(vector.NullOf(vector.Of(vector.Null)), n), coded(first),
	}
	some := []int32{0, 3, 4, 20, n - 1}
	for _, most := range []int{3, 64, 200, 4096} {
		store := NewBatches(types, most)
		var want []vector.Scalar
		for round, sel := range [][]int32{nil, some, nil} {
			for _, v := range forms {
				numbers, k := vector.New(types[0], n), n
				for i := range numbers.I64 {
					numbers.I64[i] = int64(len(want))
				}
				if sel != nil {
					k = len(sel)
				}
				add(t, store.Append([]*vector.Vector{numbers, v}, sel, n))
				for i := range k {
					row := i
					if sel != nil {
						row = int(sel[i])
					}
					x := v.Get(row)
					x.Str = strings.Clone(x.Str)
					want = append(want, x)
				}
				if v.Owner() == vector.Lent && v.Form == vector.Flat && round == 2 {
					for i := range v.Str {
						v.Str[i] = "overwritten"
					}
				}
			}
		}
		for i := range lent.Str {
			lent.Str[i] = "overwritten"
		}
		var d Reader
		at, dictionaries := 0, 0
		for i := range store.Chunks() {
			b := d.Columns(store, i, []int{1, 0})
			if b.Len != store.ChunkLen(i) || b.Cols[0].Len != b.Len {
				t.Fatalf("chunk %d has %d rows, its column %d", i, b.Len, b.Cols[0].Len)
			}
			if b.Cols[0].Form == vector.Dictionary {
				dictionaries++
			}
			for row := range b.Len {
				got := b.Cols[0].Get(row)
				if w := want[at]; got.Null != w.Null || !w.Null && got.Str != w.Str {
					t.Fatalf("most %d: row %d is %q, want %q", most, at, got.Str, w.Str)
				}
				at++
			}
		}
		if at != len(want) || store.Len() != at {
			t.Errorf("%d rows, want %d", at, len(want))
		}
		if most <= 64 && dictionaries == 0 {
			t.Errorf("chunks of %d rows: none has codes", most)
		}
		if store.Bytes() < store.Used() || store.Used() == 0 {
			t.Errorf("%d bytes, %d used", store.Bytes(), store.Used())
		}
		lent = dict("c", vector.Lent)
		forms[3], forms[5] = flat(vector.Lent, 1), coded(lent)
	}
}
