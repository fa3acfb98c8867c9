// Package log reads the log of a Delta Lake table: which data files a version has, with their
// partition values, statistics and deletion vectors, and what the table looks like. The
// specification is PROTOCOL.md of github.com/delta-io/delta; comments name its sections.
//
//	Table     a folder with a _delta_log, and the state of the version that was read last
//	Log       the files of the log as they were listed once: which versions there are, and when
//	Snapshot  a version: protocol, metadata and files
//
// A version is a checkpoint and the commits after it (segment.go), applied in their order
// (replay.go). A Snapshot is immutable; that of a newer version is made of it and the new
// commits, and shares the files that both have.
package log
