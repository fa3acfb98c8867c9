package fileformat

import "context"

// Keys has the AES keys of one encrypted file (Encryption.md). Its methods may be called
// by several goroutines at once. They are called only when a key is needed: the footer
// key once per Open, a column key once a query needs the column; a File keeps keys that
// it got, and asks again for those that it did not get.
//
// A key has 16, 24 or 32 bytes. The error of a key that is not known wraps
// errs.ErrKeyMissing; any other error ends what needed the key. No error may have key
// bytes in it.
type Keys interface {
	// FooterKey is the key of the footer and of the columns that have no key of their
	// own. metadata is the key metadata that the file has for it; nil where absent.
	FooterKey(ctx context.Context, metadata []byte) ([]byte, error)
	// ColumnKey is the key of the column with the given path in the schema. metadata
	// is the key metadata that the file has for it; nil where absent.
	ColumnKey(ctx context.Context, path []string, metadata []byte) ([]byte, error)
	// AADPrefix identifies the file, where its writer did not store that prefix; nil
	// where there is none.
	AADPrefix() []byte
}
