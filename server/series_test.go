package server_test

import (
	"strings"
	"testing"
)

// TestSeriesEnds: what ends a series of messages closes its portals. A cursor that is held stays.
func TestSeriesEnds(t *testing.T) {
	_, address := start(t, nil)
	series := []string{"P s SELECT 1 AS x FROM range(3)", "B p s", "E p 1"}
	for _, c := range []struct {
		end, want string
	}{
		{"S", "ZI E34000@0 ZI"},
		{"Q ", "I ZI E34000@0 ZI"},
		{"Q SHOW block_size", "Tblock_size:25 D8192 CSHOW ZI E34000@0 ZI"},
		{"Q SELEC", "E42601@1 ZI E34000@0 ZI"},
		{"Q SHOW block_size; SHOW block_size", "Tblock_size:25 D8192 CSHOW Tblock_size:25 D8192 CSHOW ZI E34000@0 ZI"},
		{"F", "E0A000@0 ZI E34000@0 ZI"},
		{"XR 5100000005ff", "E08P01@0 ZI E34000@0 ZI"},
	} {
		messages := append(append([]string{}, series...), c.end, "E p 1", "S")
		if got := converse(t, address, "ana", messages); got != "1 2 D1 s "+c.want {
			t.Errorf("%s: %s", c.end, got)
		}
	}
	held := []string{"Q BEGIN; DECLARE h CURSOR WITH HOLD FOR SELECT 1 AS x; COMMIT", "P s SHOW block_size", "B p s", "Q ", "Q FETCH h"}
	if got := converse(t, address, "ana", held); !strings.HasSuffix(got, "1 2 I ZI Tx:20 D1 CFETCH 1 ZI") {
		t.Error(got)
	}
}
