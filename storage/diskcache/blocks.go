// Package diskcache keeps bytes of a remote store in a folder of the disk.
//
// A file is divided into blocks of 256 KiB, each of which is a file of the folder:
//
//	magic   8 bytes  "pqblock1"
//	crc     4 bytes  CRC-32C of what follows, little-endian
//	key    32 bytes  SHA-256 of the store's address, the file's name, version and size, and the number of the block
//	bytes            of the block
//
// Its name is the key in hexadecimal digits, below a folder of the first two. A block is written
// beside its place and renamed, so that several processes may use one folder: a name has all
// of a block or nothing, and what a crash or a bad disk leaves fails the check and is read anew. A file without a version
// is not kept, unless its name is never used again. The time of a block's file is that of its last use; past the limit those that were
// not used for the longest time are removed.
package diskcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	blockSize = 256 << 10
	magic     = "pqblock1"
	headSize  = len(magic) + 4 + sha256.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// key names a block.
type key [sha256.Size]byte

// keyOf divides its parts by their lengths, so that no two files have the same.
func keyOf(address, name, version string, size, block int64) key {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %d %d", address, name, version, size, block))
}

// encode is a block as its file has it.
func encode(k key, data []byte) []byte {
	out := make([]byte, 0, headSize+len(data))
	out = append(append(out, magic...), 0, 0, 0, 0)
	out = append(append(out, k[:]...), data...)
	binary.LittleEndian.PutUint32(out[len(magic):], crc32.Checksum(out[len(magic)+4:], castagnoli))
	return out
}

// decode is the block of a file; false if the file is not that of the key.
func decode(k key, file []byte) ([]byte, bool) {
	if len(file) < headSize || len(file) > headSize+blockSize || string(file[:len(magic)]) != magic {
		return nil, false
	}
	sum := binary.LittleEndian.Uint32(file[len(magic):])
	if crc32.Checksum(file[len(magic)+4:], castagnoli) != sum || !bytes.Equal(file[len(magic)+4:headSize], k[:]) {
		return nil, false
	}
	return file[headSize:], true
}

// folder is the cache on disk.
type folder struct {
	dir   string
	limit int64 // bytes

	mu      sync.Mutex
	written int64 // since the last sweep
	swept   bool
}

func (f *folder) path(k key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(f.dir, name[:2], name)
}

// touchAfter is how old the time of a use may be: it is not written at each.
const touchAfter = time.Minute

// get is a block, false if it is not there.
func (f *folder) get(k key) ([]byte, bool) {
	path := f.path(k)
	info, err := os.Stat(path)
	if err != nil || info.Size() > int64(headSize+blockSize) {
		return nil, false
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, false // another process may have removed it
	}
	data, ok := decode(k, file)
	if !ok {
		_ = os.Remove(path) // it is damaged
		return nil, false
	}
	if now := time.Now(); now.Sub(info.ModTime()) > touchAfter {
		_ = os.Chtimes(path, now, now) // else it is removed earlier
	}
	return data, true
}

// put keeps a block, if that succeeds: a full disk costs requests and no query.
func (f *folder) put(k key, data []byte) {
	path := f.path(k)
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	beside, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return
	}
	_, err = beside.Write(encode(k, data))
	if closeErr := beside.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(beside.Name(), path)
	}
	if err != nil {
		_ = os.Remove(beside.Name()) // the first error counts
		return
	}
	f.grew(int64(headSize + len(data)))
}

// temporary begins the names of blocks that are being written.
const temporary = "new-"

// sweepShare: after 1/sweepShare of the limit was written, the folder is looked through.
const sweepShare = 16

func (f *folder) grew(bytes int64) {
	f.mu.Lock()
	f.written += bytes
	due := !f.swept || f.written > f.limit/sweepShare
	if due {
		f.written, f.swept = 0, true
	}
	f.mu.Unlock()
	if due {
		f.sweep(time.Now())
	}
}

// forgotten is how old a block is that is still being written: its process has ended.
const forgotten = time.Hour

// sweep removes blocks that were not used for the longest time until there is room for what is
// written before the next one. Other processes may do the same at the same time.
func (f *folder) sweep(now time.Time) {
	type block struct {
		path string
		used time.Time
		size int64
	}
	var all []block
	var total int64
	_ = filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		info, err := d.Info()
		base := d.Name()
		switch writing := len(base) > len(temporary) && base[:len(temporary)] == temporary; {
		case err != nil || !writing && len(base) != 2*sha256.Size: // it is not ours
		case writing && now.Sub(info.ModTime()) > forgotten:
			_ = os.Remove(path) // another process may have done so
		case !writing:
			all = append(all, block{path, info.ModTime(), info.Size()})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(all, func(a, b block) int { return a.used.Compare(b.used) })
	for _, b := range all {
		if total <= f.limit-f.limit/sweepShare {
			return
		}
		if os.Remove(b.path) == nil {
			total -= b.size
		}
	}
}
