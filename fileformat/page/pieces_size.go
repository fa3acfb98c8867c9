//go:build !smallbatch

package page

const (
	// leastInPieces is from which length on a page is decompressed in pieces. Writers such as
	// DuckDB make pages as long as a row group: of a table with a hundred columns they
	// take more memory than all else that a scan holds, and so leastShort.
	leastInPieces = 256 << 10
	// pieceBytes and textPiece are how many bytes are made at once. Texts point to them,
	// so that those of a batch are in few pieces: each begins with a copy of codec.Back bytes.
	pieceBytes = 64 << 10
	textPiece  = 192 << 10
	// piecesTogether pieces, but for short ones and texts, are one behind the other in a buffer.
	piecesTogether = 3
	// leastShort and shortPiece are leastInPieces and pieceBytes with Options.ShortPieces.
	leastShort = 80 << 10
	shortPiece = 16 << 10
)
