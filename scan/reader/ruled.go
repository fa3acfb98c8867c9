package reader

import (
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/scan/prune"
)

// newGroup is a plan for a row group, as yet without rows.
func (c *fileColumns) newGroup(g *fileformat.RowGroup) *groupScan {
	out := c.spare
	if c.spare = nil; out == nil {
		out = &groupScan{scan: c.scan, allMatch: make([]bool, len(c.scan.probes))}
	}
	clear(out.allMatch)
	out.file, out.group, out.leaves, out.safe = c.file, g, c.neededLeaves(g), nil
	return out
}

// summaries computes the summary of each column of a row group once. The columns remember those of the
// row group that was asked for last.
func (c *fileColumns) summaries(g *fileformat.RowGroup) func(int) *probe.Summary {
	return func(i int) *probe.Summary { return c.summaryIn(i, g) }
}

func (c *fileColumns) summaryIn(i int, g *fileformat.RowGroup) *probe.Summary {
	if c.summed != g {
		clear(c.sums)
		c.summed = g
	}
	s, ok := c.sums[i]
	if !ok {
		s = c.summary(i, g)
		c.sums[i] = s
	}
	return s
}

// room is where the next summary is made.
func (c *fileColumns) room() *prune.Room {
	if c.ruling == nil {
		return new(prune.Room)
	}
	if c.made == len(c.rooms) {
		c.rooms = append(c.rooms, new(prune.Room))
	}
	c.made++
	return c.rooms[c.made-1]
}

// ruledOut reports whether statistics rule a row group out that was just made.
func (c *fileColumns) ruledOut(g *groupScan) bool {
	if c.get == nil {
		c.get = func(i int) *probe.Summary { return c.summaryIn(i, c.ruling) }
	}
	c.ruling = g.group
	out := g.decide(c.get)
	c.ruling, c.made = nil, 0
	if out {
		clear(c.sums)
		c.summed, c.spare = nil, g
	} else {
		c.rooms = nil
	}
	return out
}
