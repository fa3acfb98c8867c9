package fileformat

import (
	"errors"

	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
)

// algorithm is union EncryptionAlgorithm (Encryption.md, section 5.2).
type algorithm struct {
	known        bool
	ctr          bool // AES_GCM_CTR_V1
	aadPrefix    []byte
	fileUnique   []byte
	supplyPrefix bool // there is a prefix, and it is not stored
}

// cryptoMetaData is struct FileCryptoMetaData, or what a plaintext footer has instead.
type cryptoMetaData struct {
	algorithm   algorithm
	keyMetadata []byte // of the footer key; nil where absent
}

func readCryptoMetaData(r *thrift.Reader) (m cryptoMetaData, err error) {
	seen := false
	for f := (thrift.Field{}); r.Next(&f); {
		switch f.ID {
		case 1:
			m.algorithm = readAlgorithm(r, f)
			seen = r.Matched()
		case 2:
			m.keyMetadata = r.Binary(f)
		default:
			r.Skip(f)
		}
	}
	if r.Err() == nil && !seen {
		return m, errors.New("FileCryptoMetaData lacks its encryption_algorithm")
	}
	return m, r.Err()
}

func readAlgorithm(r *thrift.Reader, f thrift.Field) (a algorithm) {
	readEither(r, f, func(second bool) { a = algorithm{known: true, ctr: second} }, func(f thrift.Field) {
		switch f.ID {
		case 1:
			a.aadPrefix = r.Binary(f)
		case 2:
			a.fileUnique = r.Binary(f)
		case 3:
			a.supplyPrefix = r.Bool(f)
		default:
			r.Skip(f)
		}
	})
	return a
}

// readEither reads a union of two structs. It calls member where one of them begins,
// and field for each of its fields.
func readEither(r *thrift.Reader, f thrift.Field, member func(second bool), field func(thrift.Field)) {
	if !r.Struct(f) {
		return
	}
	for f := (thrift.Field{}); r.Next(&f); {
		if f.ID != 1 && f.ID != 2 {
			r.Skip(f)
			continue
		}
		if !r.Struct(f) {
			continue
		}
		member(f.ID == 2)
		for f := (thrift.Field{}); r.Next(&f); {
			field(f)
		}
	}
}

// chunkCrypto is how a chunk is encrypted: union ColumnCryptoMetaData and
// encrypted_column_metadata.
type chunkCrypto struct {
	ownKey      bool   // the column has a key of its own
	known       bool   // ownKey was read
	keyMetadata []byte // of the column's key; nil where absent
	metadata    []byte // the encrypted ColumnMetaData; nil: Meta is not encrypted separately

	cipher *crypto.Chunk // nil while the chunk is locked
}

// columnCrypto reads ColumnCryptoMetaData. path is its path_in_schema as it is in the
// footer, nil where absent.
func (r *footerReader) columnCrypto(f thrift.Field, c *chunkCrypto) (path []byte) {
	readEither(r.Reader, f, func(second bool) { c.known, c.ownKey = true, second }, func(f thrift.Field) {
		switch {
		case c.ownKey && f.ID == 1:
			path = r.pathInSchema(f)
		case c.ownKey && f.ID == 2:
			c.keyMetadata = r.Binary(f)
		default:
			r.Skip(f)
		}
	})
	return path
}
