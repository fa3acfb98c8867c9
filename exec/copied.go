package exec

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Programs keep texts of a result as long as they like, and the memory that a scan lends is
// used again: so they get copies. The worker who made a batch makes them, in place of
// the copy that a batch made ahead needs in any case.

// copyTexts is copyBatch for the batches of a result. Unless the texts are long, dst.Copied is true
// then.
func copyTexts(dst, src *vector.Batch) error {
	if err := copyBatch(dst, src); err != nil {
		return err
	}
	for _, v := range src.Cols {
		v.KeepEntries()
	}
	total := 0
	for _, v := range dst.Cols {
		total += lengthOf(v)
	}
	if dst.Copied = total <= quota.CopiedTexts; dst.Copied {
		for _, v := range dst.Cols {
			if n := lengthOf(v); n > 0 {
				vector.OwnTexts(v.Str, n)
			}
		}
	}
	return nil
}

// lengthOf is how many bytes the texts of a flat vector have. Those of rows that are NULL, which may
// point anywhere, are none from then on.
func lengthOf(v *vector.Vector) (n int) {
	if v.Type.Storage() != vector.StoreString || v.Form == vector.Dictionary {
		return 0
	}
	for i, s := range v.Str {
		if v.IsNull(i) {
			v.Str[i] = ""
			continue
		}
		n += len(s)
	}
	return n
}
