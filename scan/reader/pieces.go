package reader

import (
	"context"

	"github.com/parquetsql/parquetsql/scan/files"
)

// Piece is a row group that a scan would read.
type Piece struct {
	File  *files.File
	Group int
	Bytes int64 // compressed, of the columns that are needed
}

// Pieces are the row groups that partitions, bounds and the statistics of footers do not rule out, in
// the order of their rows. It reads no page. The scan has no rows afterwards.
func (s *Scan) Pieces(ctx context.Context) (out []Piece, err error) {
	for _, f := range s.queue.takeFiles() {
		groups, err := s.openFile(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			p := Piece{File: f, Group: g.group.Index}
			for _, leaf := range g.leaves {
				p.Bytes += max(0, g.group.Columns[leaf].Meta.TotalCompressedSize)
			}
			out = append(out, p)
		}
		discard(groups, nil)
	}
	return out, nil
}
