package main

// rareClaims are files whose metadata says of their pages what is not so. All rows can be read;
// a reader that believes the metadata leaves some out.
func rareClaims() map[string]rare {
	out := map[string]rare{}
	dict := dictionary(2, plainBytes("a", "b"))
	counted := func(kind int32, n int32) field {
		return field{13, listOf(wireStruct, fields{{1, dictionaryPage}, {2, plain}, {3, int32(1)}}, fields{{1, kind}, {2, rleDictionary}, {3, n}})}
	}
	words := func(name string, make func(int, int32, []byte) page, meta ...field) rareColumn {
		c := one(name, "VARCHAR", typeBytes, page{}, anys("a", "b", "b", "a", "c", "a", "dd", "", "b", "b", "b", "b"), logical(1))
		c.pages = []page{
			dict, make(4, rleDictionary, codes(0, 1, 1, 0)), make(4, plain, plainBytes("c", "a", "dd", "")), make(4, rleDictionary, codes(1, 1, 1, 1)),
		}
		c.meta = meta
		return c
	}
	ids := one("id", "INTEGER", typeInt32, v1(12, plain, plainInt32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)), anys(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
	old := field{2, listOf(wireI32, plainDictionary, rle)}
	out["claims_dictionary"] = build(ids,
		words("few", v1, counted(dataPage, 2)), words("all", v1, counted(dataPage, 3)), words("v2", v2, counted(dataPageV2, 3)), words("encodings", v1, old))

	// Rows 0 to 3 are 1, NULL, NULL, 2; rows 4 to 7 are 3 to 6; rows 8 to 11 are NULL.
	values := []any{1, nil, nil, 2, 3, 4, 5, 6, nil, nil, nil, nil}
	pages := []page{
		v1(4, plain, plainInt32(1, 2)).levelled(nil, join(run(1, 1), run(2, 0), run(1, 1))),
		v1(4, plain, plainInt32(3, 4, 5, 6)).levelled(nil, run(4, 1)),
		v1(4, plain, nil).levelled(nil, run(4, 0)),
	}
	for i := range pages {
		pages[i].rows = 4
	}
	index := func(nullPages []bool, counts []int64, more ...field) fields {
		low, high := [][]byte{plainInt32(1), plainInt32(3), {}}, [][]byte{plainInt32(2), plainInt32(6), {}}
		for i, only := range nullPages {
			if only {
				low[i], high[i] = []byte{}, []byte{}
			}
		}
		x := fields{{1, listOf(wireBool, nullPages...)}, {2, listOf(wireBinary, low...)}, {3, listOf(wireBinary, high...)}, {4, int32(0)}}
		if counts != nil {
			x = x.with(field{5, listOf(wireI64, counts...)})
		}
		return x.with(more...)
	}
	right := []bool{false, false, true}
	var columns []rareColumn
	var indexes []fields
	claim := func(name string, x fields) {
		c := one(name, "INTEGER", typeInt32, page{}, values).nullable()
		c.pages, c.meta = pages, []field{{12, bounds(plainInt32(1), plainInt32(6), field{3, int64(6)})}}
		columns, indexes = append(columns, c), append(indexes, x)
	}
	claim("right", index(right, []int64{2, 0, 4}))
	claim("low", index(right, []int64{0, 0, 4}))
	claim("all_low", index([]bool{false, false, false}, []int64{0, 0, 0}))
	claim("high", index([]bool{true, false, true}, []int64{4, 0, 4}))
	claim("null_pages", index([]bool{true, false, true}, nil))
	claim("histogram", index([]bool{false, true, false}, []int64{2, 4, 0}, field{7, listOf(wireI64, int64(2), int64(2), int64(0), int64(4), int64(4), int64(0))}))
	nulls := build(columns...)
	nulls.file.more = []field{{7, listOf(wireStruct, fields{{1, fields{}}}, fields{{1, fields{}}}, fields{{1, fields{}}}, fields{{1, fields{}}}, fields{{1, fields{}}}, fields{{1, fields{}}})}}
	for i := range nulls.file.groups[0].chunks {
		c := &nulls.file.groups[0].chunks[i]
		c.columnIndex, c.offsetIndex = indexes[i], offsets
	}
	out["claims_nulls"] = nulls
	return out
}
