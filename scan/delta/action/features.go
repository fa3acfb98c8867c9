package action

import (
	"errors"
	"slices"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// readable are the features that readers need to know and that are respected here ("Valid Feature
// Names in Table Features"). Previews have the meaning of the feature.
var readable = []string{
	"columnMapping", "deletionVectors", "timestampNtz", "v2Checkpoint", "vacuumProtocolCheck",
	"variantType", "variantType-preview", "variantShredding", "variantShredding-preview",
	"typeWidening", "typeWidening-preview",
}

var errNoFeatures = errors.New("the protocol of reader version 3 has no list of reader features")

// Check fails if the table needs something of its readers that this one does not have ("Table
// Features", "Reader Version Requirements").
func (p *Protocol) Check() error {
	if p.MinReader < 1 || p.MinReader > 3 {
		return errs.Unsupported("reader version %d of Delta Lake (1 to 3 are read)", p.MinReader)
	}
	if p.MinReader < 3 {
		return nil
	}
	if p.ReaderFeatures == nil {
		return &errs.CorruptError{RowGroup: -1, Offset: -1, Err: errNoFeatures}
	}
	for _, f := range p.ReaderFeatures {
		if !slices.Contains(readable, f) {
			return errs.Unsupported("reader feature %q of Delta Lake", f)
		}
	}
	return nil
}

// Has reports whether readers have to respect a feature. Version 2 is that of columnMapping.
func (p *Protocol) Has(feature string) bool {
	if p.MinReader < 3 {
		return feature == "columnMapping" && p.MinReader == 2
	}
	return slices.Contains(p.ReaderFeatures, feature) || slices.Contains(p.ReaderFeatures, feature+"-preview")
}
