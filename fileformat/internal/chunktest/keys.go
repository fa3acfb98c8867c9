package chunktest

import (
	"context"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// Keys are the keys of an encrypted file. It implements fileformat.Keys.
type Keys struct {
	Footer  string
	Columns map[string]string // by dotted path
	Prefix  string            // the AAD prefix
}

var _ fileformat.Keys = Keys{}

// FooterKey implements fileformat.Keys.
func (k Keys) FooterKey(context.Context, []byte) ([]byte, error) {
	if k.Footer == "" {
		return nil, fmt.Errorf("%w: of the footer", errs.ErrKeyMissing)
	}
	return []byte(k.Footer), nil
}

// ColumnKey implements fileformat.Keys.
func (k Keys) ColumnKey(_ context.Context, path []string, _ []byte) ([]byte, error) {
	key := k.Columns[strings.Join(path, ".")]
	if key == "" {
		return nil, fmt.Errorf("%w: of a column", errs.ErrKeyMissing)
	}
	return []byte(key), nil
}

// AADPrefix implements fileformat.Keys.
func (k Keys) AADPrefix() []byte { return []byte(k.Prefix) }
