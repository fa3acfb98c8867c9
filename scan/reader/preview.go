package reader

import (
	"context"

	"github.com/parquetsql/parquetsql/scan/prune"
)

// Preview counts, for an EXPLAIN that does not run the query, the row groups of the
// files, those that statistics rule out, and all their pages, and notes their leaves. It
// reads no page. The scan has no rows afterwards.
func (s *Scan) Preview(ctx context.Context) error {
	if s.queue == nil {
		return nil
	}
	for _, f := range s.queue.takeFiles() {
		groups, err := s.openFile(ctx, f)
		if err != nil {
			return err
		}
		s.queue.give(groups)
	}
	groups := s.queue.takeGroups()
	for _, g := range groups {
		for _, leaf := range g.leaves {
			s.count.pagesTotal.Add(max(prune.DataPages(g.group.Columns[leaf]), 0))
			g.used(leaf)
		}
	}
	discard(groups, nil)
	return nil
}
