package files

import (
	"cmp"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/nested"
)

// Options says how files are opened.
type Options struct {
	Nested          nested.Options
	VerifyChecksums bool  // check the CRC-32 of pages that have one
	CacheBytes      int64 // the limit of cached footers and indexes; 0: a default
	FooterMemory    int64 // bytes that a footer may take with what is made of it; 0: any

	// Keys returns the keys of a file, should it be encrypted; nil: none are known. It
	// is called each time a footer is read.
	Keys func(*File) fileformat.Keys
	// KeysMayCome says that a key that was not found may be found later.
	KeysMayCome bool
}

// Cache keeps what was read of files besides their pages: footers, indexes, schemas. It may be used
// by several goroutines.
type Cache struct {
	options Options
	meta    *metaCache // footers and indexes
	schema  *metaCache // of *Schema, by file, and of the first bytes of files
	schemas *schemas
}

// schemaShare: schemas have 1/schemaShare of the cache.
const schemaShare = 8

// NewCache is an empty cache.
func NewCache(o Options) *Cache {
	limit := cmp.Or(o.CacheBytes, DefaultFooterCacheBytes)
	return &Cache{options: o, meta: newMetaCache(limit - limit/schemaShare), schema: newMetaCache(limit / schemaShare), schemas: &schemas{}}
}

// Footers is for the files of one moment.
func (c *Cache) Footers() *Footers { return &Footers{cache: c} }
