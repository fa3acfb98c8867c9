//go:build smallbatch

package page

// With the build tag smallbatch all pages are decompressed in pieces, so that every boundary is
// met in tests.
const (
	leastInPieces = 1
	pieceBytes    = 100
	textPiece     = 200
	leastShort    = 0
	shortPiece    = 1

	piecesTogether = 3
)
