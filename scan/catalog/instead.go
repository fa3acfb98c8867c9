package catalog

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// insteadOf is what to say of a name that is no table, nor like one.
func (s *Snapshot) insteadOf(name string) string {
	restricted := len(s.catalog.config.Only) > 0 // who may read some tables alone learns no other names
	if s.location.kind == atDirectory && !restricted {
		for _, e := range s.listing.others() {
			if base := path.Base(e.Name); e.Name == name || strings.TrimSuffix(base, path.Ext(base)) == name {
				return fmt.Sprintf("%q is no table, as only .parquet, .parq and .pq files are", e.Name)
			}
		}
	}
	switch {
	case hasGlob(name):
		return "no file matches"
	case len(s.tables) == 0 && !restricted:
		return "the location has no Parquet files"
	}
	return errs.Some("table", slices.Sorted(maps.Keys(s.tables)))
}
