package action

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// Partitions lets files with the same partition values share them: a table of a million files
// may have a hundred. It may be used by several goroutines. Nil shares nothing.
type Partitions struct {
	Budget *quota.Budget // what they take is charged to it; nil: to none

	mu    sync.Mutex
	seen  map[string]*Partition
	names []string // of the last one: those of most are the same
	free  []Partition
	room  []Value // for those that follow
}

var noPartition = &Partition{}

// partitionKeys is the partitions of some files, each as a text that no other has.
type partitionKeys struct {
	bytes []byte
	ends  []int
}

func (k *partitionKeys) reset() { k.bytes, k.ends = k.bytes[:0], k.ends[:0] }

// add adds the partition of one more file, which keeps none of the texts.
func (k *partitionKeys) add(names []string, values []Value) {
	for i, n := range names {
		k.bytes = appendText(k.bytes, n)
		if values[i].Null {
			k.bytes = append(k.bytes, 0)
		} else {
			k.bytes = appendText(append(k.bytes, 1), values[i].Text)
		}
	}
	k.ends = append(k.ends, len(k.bytes))
}

// share sets the partitions of files, by their keys.
func (p *Partitions) share(keys *partitionKeys, to []File) (err error) {
	if p == nil {
		p = &Partitions{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	from, last := 0, []byte(nil)
	for i := range to {
		key := keys.bytes[from:keys.ends[i]]
		from = keys.ends[i]
		if i > 0 && string(key) == string(last) {
			to[i].Partition = to[i-1].Partition
			continue
		}
		if to[i].Partition, err = p.of(key); err != nil {
			return err
		}
		last = key
	}
	return nil
}

// one is the partition of names and values.
func (p *Partitions) one(names []string, values []Value) (*Partition, error) {
	var key partitionKeys
	var f [1]File
	key.add(names, values)
	err := p.share(&key, f[:])
	return f[0].Partition, err
}

// of is the partition of a key. p.mu is held.
func (p *Partitions) of(key []byte) (*Partition, error) {
	if len(key) == 0 {
		return noPartition, nil
	}
	if known := p.seen[string(key)]; known != nil {
		return known, nil
	}
	if p.seen == nil {
		p.seen = map[string]*Partition{}
	}
	if err := p.Budget.Need(partitionBytes + int64(len(key))); err != nil {
		return nil, err
	}
	if len(p.free) == 0 {
		p.free = make([]Partition, min(8+len(p.seen), 1024))
	}
	own, out := string(key), &p.free[0]
	if err := p.parse(own, out); err != nil {
		return nil, err
	}
	p.free = p.free[1:]
	p.seen[own] = out
	return out, nil
}

// partitionBytes is about what a partition takes besides its names and values, with its place in a map;
// nameBytes and valueBytes are what a name and a value take besides their texts.
const (
	partitionBytes = 48 + 32 + 48
	nameBytes      = 16
	valueBytes     = 24
)

// mostRoom is how many values at most there is room for ahead: a partition may have any number.
const mostRoom = 4096

// Bytes is about how much memory a partition takes.
func (p *Partition) Bytes() int64 {
	n := int64(partitionBytes)
	for i, name := range p.Names {
		n += nameBytes + valueBytes + int64(len(name)+len(p.Values[i].Text))
	}
	return n
}

// parse sets a partition to what its key says. Its texts are parts of the key.
func (p *Partitions) parse(key string, out *Partition) error {
	n := pairs(key)
	if cap(p.room)-len(p.room) < n {
		room := n * max(1, min(8+len(p.seen), 1024, mostRoom/n))
		if err := p.Budget.Need(valueBytes * int64(room)); err != nil {
			return err
		}
		p.room = make([]Value, 0, room)
	}
	if err := p.Budget.Need(nameBytes * int64(n)); err != nil {
		return err
	}
	names, first := make([]string, 0, n), len(p.room)
	for len(key) > 0 {
		var v Value
		var name string
		name, key = cutText(key)
		if v.Null = key[0] == 0; v.Null {
			key = key[1:]
		} else {
			v.Text, key = cutText(key[1:])
		}
		names, p.room = append(names, name), append(p.room, v)
	}
	if slices.Equal(names, p.names) {
		p.Budget.Release(nameBytes * int64(n))
	} else {
		p.names = names
	}
	out.Names, out.Values = p.names, slices.Clip(p.room[first:])
	return nil
}

// pairs is how many names a key has.
func pairs(key string) (n int) {
	for ; len(key) > 0; n++ {
		_, key = cutText(key)
		if key[0] == 0 {
			key = key[1:]
		} else {
			_, key = cutText(key[1:])
		}
	}
	return n
}

// appendText appends a text behind its length, so that no two lists of texts are the same bytes.
func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// cutText is the first of texts that appendText has written, and those behind it.
func cutText(s string) (text, rest string) {
	n, at := 0, 0
	for shift := 0; ; shift += 7 {
		b := s[at]
		at++
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return s[at : at+n], s[at+n:]
		}
	}
}
