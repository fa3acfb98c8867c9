package action

import (
	"encoding/binary"
	"strings"
)

// Partitions lets files with the same partition values share them: a table of a million files
// may have a hundred. It is for one goroutine. Nil shares nothing.
type Partitions struct {
	seen map[string]*Partition
	key  []byte
}

var noPartition = &Partition{}

// share is a Partition of these names and values, with texts of its own. Both slices are the
// caller's again afterwards.
func (p *Partitions) share(names []string, values []Value) *Partition {
	if len(names) == 0 {
		return noPartition
	}
	if p == nil {
		p = &Partitions{}
	}
	if p.seen == nil {
		p.seen = map[string]*Partition{}
	}
	p.key = p.key[:0]
	for i, n := range names {
		p.key = appendText(p.key, n)
		if values[i].Null {
			p.key = append(p.key, 0)
		} else {
			p.key = appendText(append(p.key, 1), values[i].Text)
		}
	}
	if known := p.seen[string(p.key)]; known != nil {
		return known
	}
	out := &Partition{Names: make([]string, len(names)), Values: make([]Value, len(names))}
	for i, n := range names {
		out.Names[i], out.Values[i] = strings.Clone(n), Value{strings.Clone(values[i].Text), values[i].Null}
	}
	p.seen[string(p.key)] = out
	return out
}

// appendText appends a text behind its length, so that no two lists of texts are the same bytes.
func appendText(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}
