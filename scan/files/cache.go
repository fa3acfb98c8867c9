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
	Far             bool  // to read a footer takes a request: also those are kept that take least room

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
	raw     *metaCache // of fileformat.Footer; nil: it is not worth it
	schema  *metaCache // of description, by file, and of the first bytes of files
	schemas *schemas
}

// The parts of the cache: descriptions have 1/schemaShare of it, and footers as they are read, about
// a tenth as long as parsed ones, rawEighths of 8.
const (
	schemaShare = 8
	rawEighths  = 3
)

// NewCache is an empty cache.
func NewCache(o Options) *Cache {
	limit := cmp.Or(o.CacheBytes, DefaultFooterCacheBytes)
	out := &Cache{options: o, schema: newMetaCache(limit / schemaShare), schemas: &schemas{}}
	parsed := limit - limit/schemaShare
	if o.Far {
		out.raw = newMetaCache(limit / 8 * rawEighths)
		parsed -= limit / 8 * rawEighths
	}
	out.meta = newMetaCache(parsed)
	return out
}

// Footers is for the files of one moment.
func (c *Cache) Footers() *Footers { return &Footers{cache: c} }
