package hashtable

import "testing"

// TestPartitionBits: the keys of one partition, of each level, still spread over the
// slots of a table and over the partitions of the next level.
func TestPartitionBits(t *testing.T) {
	keys := make([]int64, 1<<22)
	for i := range keys {
		keys[i] = int64(i)
	}
	for level := range 3 {
		const slots = 512
		high, low, parts := map[uint64]bool{}, map[uint64]bool{}, map[int]bool{}
		n := min(len(keys), slots)
		for _, k := range keys[:n] {
			h := Mix(uint64(k))
			high[tagOf(k)>>(32-9)] = true
			low[h%slots] = true
			parts[Partition(h, level)] = true
		}
		// n balls leave slots*exp(-n/slots) of the slots empty, 63 % are taken for n = slots.
		if n < slots || len(high) < slots/2 || len(low) < slots/2 || len(parts) != Partitions {
			t.Errorf("level %d: %d keys of a partition use %d and %d of %d slots, and %d partitions of the next level", level, n, len(high), len(low), slots, len(parts))
		}
		var next []int64
		for _, k := range keys {
			if Partition(Mix(uint64(k)), level) == 5 {
				next = append(next, k)
			}
		}
		keys = next
	}
}
