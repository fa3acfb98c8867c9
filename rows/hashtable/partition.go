package hashtable

// How the 64 bits of a hash are used:
//
//	the top PartitionBits   the partition, see Partition
//	32 below the top 8      the slots of Ints, compared before its keys
//	the low bits            the slots of Strings and Rows
//	the upper 32            compared before the keys of Strings and Rows
//
// All keys of a table may be of the same partition, so its slots must not depend on
// the same bits.
const (
	// PartitionBits is the logarithm of Partitions.
	PartitionBits = 6
	// Partitions is the number of partitions of each level.
	Partitions = 1 << PartitionBits
)

// coarseBits are the bits of a partition's number that Coarse leaves.
const coarseBits = Partitions - Partitions/8

// Coarse is the partition of a key of Partition p where only an eighth of the partitions have
// rows: for rows of so many columns that each partition would have few of them, and much more
// memory for its vectors than for values.
func Coarse(p int) int { return p & coarseBits }

// Partition returns the partition of the keys with this hash. Each level divides
// the keys of one partition of the level above into Partitions new ones: the hash is
// mixed again, so that neither the bits of other levels nor those of the slots
// decide.
func Partition(hash uint64, level int) int {
	for range level {
		hash = Mix(hash)
	}
	return int(hash >> (64 - PartitionBits))
}
