package quota

// The sizes of what a query does and keeps, each with its reason and, in brackets, who uses it:
// these packages or ones below them. A size that only bounds what a file may claim stands where the file is read, and one of a cache
// of the processor in its loop.

// How much is done between two looks at the context of a query, which ends within 100 ms once
// it is cancelled.
const (
	// NodesPerLook is how many tokens, or nodes of expressions and plans, are handled: some
	// microseconds each at most. [exec/window, expr, fileformat, planner]
	NodesPerLook = 1 << 10
	// RowsPerLook is how many rows are handled in a tight loop, or compared: up to 100 ns
	// each. [rows/hashtable, exec/join, exec/window, expr/aggregate, geometry/boxtree]
	RowsPerLook = 1 << 16
	// BytesPerLook is how many bytes of texts are worked on, at 20 ns in the slowest
	// functions. It is the length of the pieces of a long text too. [Meter, expr]
	BytesPerLook = 256 << 10
	// CopiedPerLook is how many bytes are copied or searched, at less than a nanosecond.
	// [expr, exec/order]
	CopiedPerLook = 1 << 20
	// BytesPerTell is how many bytes a loop works on until it tells a function of them: see
	// Telling. [expr, internal/jsontext]
	BytesPerTell = 64 << 10

	// CompileWork is how many bytes are worked on in the time that it takes to compile an
	// operation, or to look for one that is equal. [expr, exec]
	CompileWork = 16 << 10
	// CompareWork is that of a comparison: every 65,536 of them there is a look. [expr]
	CompareWork = BytesPerLook / RowsPerLook
)

// What evaluations make of a batch.
const (
	// maxFree is the most that an evaluation of a batch makes without being charged, and
	// minFree the least. [Meter]
	maxFree = 16 << 20
	minFree = 256 << 10
	// freeShare is how many such evaluations fit the memory limit. [Meter]
	freeShare = 64
	// madePerLook is how much is made until the budget knows of it. [Meter]
	madePerLook = 64 << 10
	// elementBytes is about what an element of a list takes while the list is made. [Meter]
	elementBytes = 24

	// MaxValueText is the greatest length of a text that an operation makes, so that a
	// small expression cannot use unlimited memory. [expr, exec/window]
	MaxValueText = 256 << 20
	// MaxRowBytes is the greatest total size of what is made for one row. [Meter]
	MaxRowBytes = 1 << 30
	// MaxConstant is the greatest size of a value that is computed while a query is planned.
	// [expr]
	MaxConstant = 1 << 20
	// LeastBatch is how many bytes the values of a batch may take under any limit. With fewer
	// rows the work for each vector is more than that for its values. [expr]
	LeastBatch = 8 << 20
	// OwnText is the size from which a text has an allocation of its own, so that it does not
	// keep its neighbours in memory. [expr]
	OwnText = 4 << 10
	// KeptBuffer is the size up to which a buffer is kept for the next batch. [expr]
	KeptBuffer = 1 << 20
)

// What operators keep without charging it: even without memory, tables and blocks should not be tiny.
// The first three are for each row of vector.BatchSize, so that test builds with short batches
// spill as early.
const (
	// FreeRow is that of hash tables and partitions, and of the texts that are copied until
	// they are charged. [exec, exec/join, exec/spill]
	FreeRow = 512
	// FreeSharedRow is that of shared rows: a query may have many of them. [exec/common]
	FreeSharedRow = 64
	// FreeWindowRow is that of a partition of a window and what is prepared for it: the
	// smallest unit that the operator works on. [exec/window]
	FreeWindowRow = 1024

	// ChargeStep is the growth after which the budget is asked again: its atomic numbers are
	// shared by all workers. [exec/common, exec/join, exec/spill, exec/window]
	ChargeStep = 64 << 10
	// GroupChargeStep is that of groups: each of many partitions may have as much that is not charged.
	// [exec/group]
	GroupChargeStep = 16 << 10
	// FreeResults is the lists and maps of a batch of results. [exec/group]
	FreeResults = 1 << 20
	// LeastPinned is how much of a table that was given up consumers may keep in memory.
	// [exec/join]
	LeastPinned = 1 << 20
)

// Blocks and runs on disk.
const (
	// BlockBytes are in a block of rows, or one row: writing it takes longer than the system
	// call. It is also what is compressed at once. [exec/common, exec/spill]
	BlockBytes = 1 << 20
	// RunBlockBytes are in a block of a sorted run: a merge has a block of each run in memory,
	// and one that is read ahead. [exec/order]
	RunBlockBytes = 128 << 10
	// MinWindowBlock and MaxWindowBlock are in a block of a long partition, and
	// WindowBlockShare is its part of the limit. Blocks are short, so that all that a long
	// partition has in memory is free of charge: the budget may be full. [exec/window]
	MinWindowBlock   = 64 << 10
	MaxWindowBlock   = 256 << 10
	WindowBlockShare = 256
	// RunBytes is the size of a sorted run; under a memory limit a run has no more than
	// 1/RunShare of it, so that a few fit, and garbage of that size does too. [exec/order]
	RunBytes = 32 << 20
	RunShare = 8
)

// Texts of batches on their way to the consumer.
const (
	// CopiedTexts is how many bytes of texts of a batch are copied at once: the copies are
	// as much again as the batch. Of longer ones the worker waits for the consumer, who
	// copies them row by row. [exec, root]
	CopiedTexts = 4 << 20
	// LongTextsShare is the part of the memory limit from which on the texts of a batch are
	// long, so that its worker waits for the consumer, and LeastLongTexts the least length.
	// [exec]
	LongTextsShare = 256
	LeastLongTexts = 256 << 10
	// TextsAhead is from how many bytes of texts on, in the batches that wait, a worker makes
	// no more: pages that texts point to are in memory. [exec]
	TextsAhead = 2 << 20
)

// Planning and scans.
const (
	// FreePlan is how much planning takes that is neither charged nor collected at once.
	// [planner/operators]
	FreePlan = 32 << 20
	// Slack is what a process may take beside the memory limit. [planner/operators]
	Slack = 64 << 20
	// ColumnBytes is what a reader of very many columns needs of each before it reads a page, with
	// the shortest page that there is room for. [scan/reader]
	ColumnBytes = 36 << 10
	// SharedChunks is how much of chunks without an offset index is kept in memory for several
	// readers, each of which walks over all pages. [scan/reader]
	SharedChunks = 64 << 20
)
