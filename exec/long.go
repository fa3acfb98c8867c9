package exec

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// CutBytes of texts are kept before their memory is charged, see vector.Cut.
const CutBytes = quota.FreeRow * vector.BatchSize

// Batches that workers have made ahead are not charged: they are few and short. The pages
// that the texts of a batch point to are charged until its worker continues. Under a memory
// limit therefore a worker whose batch has long texts waits until the consumer is done.

const ()

// longTexts is how many bytes of texts a batch has that a worker waits for; 0: none.
func (e Env) longTexts() int64 {
	if limit := e.Budget.Limit(); limit > 0 {
		return max(limit/quota.LongTextsShare, quota.LeastLongTexts)
	}
	return 0
}

// isLong reports whether the texts of b have more than limit bytes, unless that is 0.
func isLong(b *vector.Batch, limit int64) bool {
	return limit > 0 && b.TextBytes() > limit
}

// ForgetRows drops what the vectors of b point to. Whoever had b may have its vectors, so that
// what an operator gives up would stay in memory until it makes the next batch.
func ForgetRows(b *vector.Batch) {
	for _, v := range b.Cols {
		*v = vector.Vector{}
	}
}
