package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
)

const matrixRows = 150

// truth is one set of values of every physical type, the same on each run.
type truth struct {
	bools   []bool
	int32s  []int32
	int64s  []int64
	int96s  [][12]byte
	floats  []float32
	doubles []float64
	bytes   [][]byte
	fixed   [][]byte // 7 bytes each
	null    []bool   // of the optional columns
}

func newTruth() *truth {
	r := rand.New(rand.NewPCG(42, 1))
	t := &truth{}
	for i := range matrixRows {
		t.bools = append(t.bools, i/10%2 == 0 || r.IntN(3) == 0)
		t.int32s = append(t.int32s, int32(edge(i, int64(int32(r.Uint32())>>r.IntN(31)), math.MinInt32, math.MaxInt32)))
		t.int64s = append(t.int64s, edge(i, int64(r.Uint64())>>r.IntN(63), math.MinInt64, math.MaxInt64))
		var at [12]byte // a random day between 1968 and 2023, a random nanosecond of it
		binary.LittleEndian.PutUint64(at[:], r.Uint64N(86400e9))
		binary.LittleEndian.PutUint32(at[8:], 2440000+r.Uint32N(20000))
		t.int96s = append(t.int96s, at)
		t.floats = append(t.floats, float32(floatEdge(i, float64(r.Float32()*1000-500))))
		t.doubles = append(t.doubles, floatEdge(i, r.NormFloat64()*1e6))
		t.bytes = append(t.bytes, []byte(fmt.Sprintf("value/%04d/%s", r.IntN(60), "äöü∂ƒ"[:r.IntN(4)*2])))
		t.fixed = append(t.fixed, []byte(fmt.Sprintf("%07d", r.IntN(100)*r.IntN(1000))))
		t.null = append(t.null, i%7 == 3 || i >= 60 && i < 80)
	}
	return t
}

func edge(i int, v, lowest, highest int64) int64 {
	switch i {
	case 5:
		return lowest
	case 6:
		return highest
	case 7, 8:
		return 0
	}
	return v
}

func floatEdge(i int, v float64) float64 {
	switch i {
	case 10:
		return math.NaN()
	case 11:
		return math.Inf(1)
	case 12:
		return math.Inf(-1)
	case 13:
		return math.Copysign(0, -1)
	}
	return v
}
