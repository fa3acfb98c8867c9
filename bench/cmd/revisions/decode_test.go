package main

import "testing"

// TestSlowerIn: benchstat's tables, with a change that is noise, one that is small, one that is
// large, and one of throughput.
func TestSlowerIn(t *testing.T) {
	const tables = `goos: linux
,old,,new,,,
,sec/op,CI,sec/op,CI,vs base,P
Column/a-2,1.0e-05,2%,1.3e-05,40%,~,p=0.400 n=6
Column/b-2,1.0e-05,2%,1.05e-05,1%,+5.00%,p=0.002 n=6
Column/c-2,1.0e-05,2%,1.3e-05,1%,+30.00%,p=0.002 n=6
Column/d-2,1.0e-05,2%,0.5e-05,1%,-50.00%,p=0.002 n=6
geomean,1.0e-05,,1.2e-05,,+20.00%,

,old,,new,,,
,B/s,CI,B/s,CI,vs base,P
Column/d-2,1.0e+09,2%,2.0e+09,1%,+100.00%,p=0.002 n=6
`
	if n := slowerIn(tables, 0.10); n != 1 {
		t.Errorf("%d are slower", n)
	}
	if n := slowerIn(tables, 0.01); n != 2 {
		t.Errorf("%d are slower by more than 1 %%", n)
	}
}
