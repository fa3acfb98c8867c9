package fileformat

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
)

func headerV1() ts {
	return ts{{1, int32(0)}, {2, int32(100)}, {3, int32(80)}, {4, int32(-1)},
		{5, ts{{1, int32(7)}, {2, int32(8)}, {3, int32(3)}, {4, int32(4)}, {5, ts{{3, int64(2)}, {5, "max"}, {6, ""}, {7, false}, {8, true}}}}}}
}

func headerV2(changes ...tf) ts {
	part := ts{{1, int32(7)}, {2, int32(2)}, {3, int32(5)}, {4, int32(5)}, {5, int32(9)}, {6, int32(8)}}
	return ts{{1, int32(3)}, {2, int32(100)}, {3, int32(80)}, {8, part.with(changes...)}}
}

func TestPageHeader(t *testing.T) {
	for name, c := range map[string]struct {
		header ts
		want   PageHeader
	}{
		"V1": {headerV1(), PageHeader{
			Type: DataPage, UncompressedSize: 100, CompressedSize: 80, CRC: 0xffffffff, HasCRC: true,
			NumValues: 7, Encoding: RLEDictionary, DefEncoding: RLE, RepEncoding: BitPacked,
			Statistics: &Statistics{Min: []byte{}, Max: []byte("max"), MinExact: Exact, MaxExact: Inexact, NullCount: 2, DistinctCount: -1, NaNCount: -1},
		}},
		"V2": {headerV2(), PageHeader{
			Type: DataPageV2, UncompressedSize: 100, CompressedSize: 80, NumValues: 7, NumNulls: 2, NumRows: 5,
			Encoding: DeltaBinaryPacked, DefLength: 9, RepLength: 8, IsCompressed: true,
		}},
		"V2, not compressed": {headerV2(tf{7, false}), PageHeader{
			Type: DataPageV2, UncompressedSize: 100, CompressedSize: 80, NumValues: 7, NumNulls: 2, NumRows: 5,
			Encoding: DeltaBinaryPacked, DefLength: 9, RepLength: 8,
		}},
		"dictionary, CRC 0": {ts{{1, int32(2)}, {2, int32(1)}, {3, int32(1)}, {4, int32(0)}, {7, ts{{1, int32(3)}, {2, int32(2)}, {3, true}}}},
			PageHeader{Type: DictionaryPage, UncompressedSize: 1, CompressedSize: 1, HasCRC: true, NumValues: 3, Encoding: PlainDictionary, IsSorted: true}},
		"index":   {ts{{1, int32(1)}, {2, int32(1)}, {3, int32(2)}, {6, ts{}}}, PageHeader{Type: IndexPage, UncompressedSize: 1, CompressedSize: 2}},
		"unknown": {ts{{1, int32(9)}, {2, int32(1)}, {3, int32(2)}, {9, ts{{1, "x"}}}}, PageHeader{Type: 9, UncompressedSize: 1, CompressedSize: 2}},
	} {
		b := append(appendThrift(nil, c.header), "data"...)
		h, n, err := ParsePageHeader(b)
		if err != nil || n != len(b)-4 || !reflect.DeepEqual(h, c.want) {
			t.Errorf("%s: %+v, %d, %v", name, h, n, err)
		}
		for i := range n {
			if _, _, err := ParsePageHeader(b[:i]); !errors.Is(err, ErrShortHeader) {
				t.Fatalf("%s, %d bytes of %d: %v", name, i, n, err)
			}
		}
	}
}

func TestCorruptPageHeader(t *testing.T) {
	part := headerV1()[4].value.(ts)
	for name, h := range map[string]ts{
		"no type":                    headerV1().with(tf{1, nil}),
		"no size":                    headerV1().with(tf{3, nil}),
		"negative size":              headerV1().with(tf{3, int32(-1)}),
		"negative uncompressed size": headerV1().with(tf{2, int32(-1)}),
		"no part for its type":       headerV1().with(tf{5, nil}),
		"the other type's part":      headerV1().with(tf{1, int32(3)}),
		"negative values":            headerV1().with(tf{5, part.with(tf{1, int32(-7)})}),
		"no encoding":                headerV1().with(tf{5, part.with(tf{2, nil})}),
		"more NULLs than values":     headerV2(tf{2, int32(8)}),
		"negative NULLs":             headerV2(tf{2, int32(-1)}),
		"levels longer than page":    headerV2(tf{5, int32(73)}),
		"levels that overflow":       headerV2(tf{5, int32(1<<31 - 1)}, tf{6, int32(1<<31 - 1)}),
		"negative level length":      headerV2(tf{6, int32(-1)}),
	} {
		if h, _, err := ParsePageHeader(appendThrift(nil, h)); err == nil || errors.Is(err, ErrShortHeader) {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
}

// FuzzPageHeader: an accepted header has the properties that PageHeader documents.
func FuzzPageHeader(f *testing.F) {
	f.Add(appendThrift(nil, headerV1()))
	f.Add(appendThrift(nil, headerV2(tf{8, ts{{1, "x"}}})))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, n, err := ParsePageHeader(b)
		if err != nil {
			return
		}
		again, m, err := ParsePageHeader(bytes.Clone(b[:n]))
		if err != nil || m != n || !reflect.DeepEqual(h, again) {
			t.Fatalf("%d bytes suffice the first time only: %v", n, err)
		}
		if h.CompressedSize < 0 || h.UncompressedSize < 0 || h.NumValues < 0 || h.NumNulls > h.NumValues ||
			h.DefLength < 0 || h.RepLength < 0 || int64(h.DefLength)+int64(h.RepLength) > int64(h.CompressedSize) && h.Type == DataPageV2 {
			t.Fatalf("%+v", h)
		}
	})
}
