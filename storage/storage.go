// Package storage is where the bytes of files are: a folder of the local disk, or of a file
// system that the user gave, or a remote store, which a module of its own registers (Scheme).
//
// A Store lists entries and opens them. An entry is one version of a file: what is read of it
// is of that version, and reading a file that was replaced is an error, never a mixture. A
// store says what a read costs (Cost), and whoever reads plans by that: a folder of the disk
// wants short reads, a bucket few long ones at the same time.
package storage

import (
	"context"
	"errors"
	"iter"
	"time"
)

// Entry is a file as a listing shows it.
type Entry struct {
	Name    string // slash-separated, below the store's folder
	Size    int64
	Time    time.Time // of the last change; zero where it is not known and not compared
	Version string    // as the store names it; "" where size and time are all there is
	// Tail is how many bytes of the file's end came with the entry, so that to read them takes
	// no request; 0: none.
	Tail int64
	// Final says of an entry without a version that nothing else is ever written to its name.
	Final bool

	// Folder says that the entry is a folder: one that Walk.Skip left out, one that Walk.Stop
	// names or, with Err, one that cannot be listed.
	Folder bool
	// Err is why the entry cannot be read. Then only Name and Folder are set.
	Err error
}

// Store is a folder. It may be used by several goroutines.
type Store interface {
	// Stat describes a file or a folder. The error of a name that is not there is an
	// fs.ErrNotExist.
	Stat(ctx context.Context, name string) (Entry, error)
	// List yields pages of the entries below a folder, in no order. Folders are not entries,
	// but for those that Entry.Folder names. It ends after the first error, which is that of
	// the folder itself or of ctx.
	List(ctx context.Context, dir string, w Walk) iter.Seq2[[]Entry, error]
	// Open does no I/O: the first read finds out whether the entry is still there.
	Open(e Entry) File
	Cost() Cost
}

// Walk says which entries a listing has.
type Walk struct {
	Depth int                    // how many folders deep; -1: all
	Skip  func(name string) bool // by the last part of a name: files and folders that are left out; nil: none
	// Prefix is how the names below the folder begin that are wanted. A store that lists by
	// prefix leaves out all others; those with folders list them too.
	Prefix string
	// From is the name, below the folder, from which on entries are wanted, by their bytes: a store
	// of objects may begin there. Those before it may be listed, too.
	From string
	// Closed is the name of an entry that closes a folder: of a folder that has it, the listing
	// has that entry alone, and nothing further down. A store without folders has also what comes
	// before that entry, by its bytes.
	Closed string
	// Stop says by the last part of its name that a folder is an entry, and what is below it is
	// not listed; nil: none. A store without folders lists all.
	Stop func(name string) bool
}

// ErrNoListing is the error of List where a store cannot list: that of a web server.
var ErrNoListing = errors.New("the server has no listings")

// File is an entry to be read. It may be used by several goroutines until Close.
type File interface {
	// ReadAt is io.ReaderAt until ctx ends. If ctx ends during the read, the store may still
	// write to p. The error is ErrChanged where the file is another one than the entry, and
	// an *OpenError where it cannot be opened.
	ReadAt(ctx context.Context, p []byte, off int64) (int, error)
	// Unchanged fails with ErrChanged where the file was replaced, as far as that can be told
	// without a request. What was read before must then not be used.
	Unchanged(ctx context.Context) error
	// Verify is Unchanged at the price of a request, for who has read all that it needs. A
	// store whose reads name a version need not ask.
	Verify(ctx context.Context) error
	// Close may be called twice.
	Close() error
}

// ErrChanged says that a file is not the entry any more that was listed.
var ErrChanged = errors.New("the file was changed or replaced")

// OpenError is why a file could not be opened.
type OpenError struct{ Err error }

// Error implements error.
func (e *OpenError) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *OpenError) Unwrap() error { return e.Err }

// Cost is what reads of a store cost. It plans reads and is no promise.
type Cost struct {
	Latency     time.Duration // until the first byte comes
	BytesPerSec int64         // of one read
	AtOnce      int           // reads that go on at the same time without slowing each other
}

// Local is the cost of a disk: a short read costs little more than a system call, and the
// system reads ahead itself.
var Local = Cost{Latency: 0, BytesPerSec: 1 << 30, AtOnce: 1}

// Remote is the cost that is assumed where each read may be a request: of a bucket in the same
// region.
var Remote = Cost{Latency: 30 * time.Millisecond, BytesPerSec: 100 << 20, AtOnce: 16}

// IsLocal reports whether a read costs no more than a system call.
func (c Cost) IsLocal() bool { return c.Latency < time.Millisecond }

// Worth is how many bytes come in the time that a read takes before its first: it is no
// slower to read so many bytes that nobody needs than to begin another read.
func (c Cost) Worth() int64 { return int64(c.Latency.Seconds() * float64(c.BytesPerSec)) }

// Tail is how much of the end of a file is read in the hope that it has all of the footer: a
// second read would take longer than the rest of a long one. 0 is as for a disk.
func (c Cost) Tail(size int64) int64 {
	if c.IsLocal() {
		return 0
	}
	return min(max(size/64, 64<<10), 4<<20)
}
