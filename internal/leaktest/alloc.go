package leaktest

import "runtime/metrics"

// Allocated returns how many bytes this process has allocated on the heap so far,
// freed ones included. Tests bound the difference of two calls.
func Allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
