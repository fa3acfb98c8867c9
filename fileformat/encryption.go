package fileformat

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// encryption is what a File knows of its encryption (Encryption.md).
type encryption struct {
	modules crypto.File
	keys    Keys
	err     error // why no module can be decrypted; nil where that is not so
	// footerKey is nil where it is not known, which is possible with a plaintext footer
	// only; footerErr then says why.
	footerKey *crypto.Key
	footerErr error

	mu       sync.Mutex
	unlocked map[unlockedKey]*ColumnChunk
}

// unlockedKey names a column chunk.
type unlockedKey struct{ group, leaf int }

// openFooter decrypts the footer of a file with an encrypted footer: FileCryptoMetaData
// and then the footer, a module (section 5.4).
func (f *File) openFooter(ctx context.Context, raw []byte) ([]byte, error) {
	r := thrift.NewReader(raw)
	m, err := readCryptoMetaData(r)
	at := f.dataEnd + int64(r.Pos())
	if err != nil {
		return nil, f.corrupt(-1, "", at, fmt.Errorf("encryption metadata: %w", err))
	}
	e := f.newEncryption(&m.algorithm)
	if e.err == nil {
		e.err = e.readFooterKey(ctx, m.keyMetadata)
	}
	if e.err != nil {
		return nil, f.located("the footer is encrypted", e.err)
	}
	module := raw[r.Pos():]
	plain, err := e.modules.Footer(e.footerKey, module)
	if errors.Is(err, crypto.ErrAuthentic) && len(e.modules.AAD) == 0 {
		// DuckDB up to 1.5 encrypts without AAD, and writes no identifier of the file.
		e.modules.NoAAD = true
		plain, err = e.modules.Footer(e.footerKey, module)
	}
	if err != nil {
		return nil, f.corrupt(-1, "", at, fmt.Errorf("encrypted footer: %w", err))
	}
	f.encryption = e
	return plain, nil
}

// verifyFooter checks the signature of a plaintext footer, which r has read; rest is what
// follows it (section 5.5). Without the footer's key nothing can be checked: the columns
// that are not encrypted are readable all the same. With it, a footer that cannot be
// checked is an error: a changed footer may say so to be read unchecked.
func (f *File) verifyFooter(ctx context.Context, r *footerReader, rest []byte) error {
	if r.crypto == nil && !r.encrypts() {
		return nil
	}
	m := cmp.Or(r.crypto, &cryptoMetaData{})
	e := f.newEncryption(&m.algorithm)
	if r.crypto != nil {
		f.encryption = e
	}
	if errors.Is(e.err, errOtherFile) {
		return f.located("the footer is signed", e.err)
	}
	switch e.footerErr = e.readFooterKey(ctx, m.keyMetadata); {
	case errors.Is(e.footerErr, errs.ErrKeyMissing):
		return nil
	case e.footerErr != nil:
		return f.located("the footer is signed", e.footerErr)
	case r.crypto == nil:
		return f.corrupt(-1, "", f.dataEnd, errHow)
	case e.err != nil:
		return f.located("the footer is signed", e.err)
	case len(rest) == 0 && m.keyMetadata == nil && !parseWriter(r.meta.CreatedBy).signs():
		// A writer that does not sign. Those that do name the signing key, unless it is
		// to be known without a name.
		return nil
	case !e.modules.Signed(e.footerKey, r.Since(0), rest):
		return f.corrupt(-1, "", f.dataEnd, fmt.Errorf("the footer's signature: %w", crypto.ErrAuthentic))
	}
	return nil
}

// errHow is the error of encrypted columns without encryption_algorithm.
var errHow = errors.New("columns are encrypted, but the footer does not say how")

// encrypts reports whether a column chunk is encrypted.
func (r *footerReader) encrypts() bool {
	return slices.ContainsFunc(r.groups, func(g *RowGroup) bool {
		return slices.ContainsFunc(g.Columns, func(c *ColumnChunk) bool { return c.crypto != nil })
	})
}

// located adds the file to an error of a key.
func (f *File) located(what string, err error) error {
	if errors.Is(err, errOtherFile) {
		return f.corrupt(-1, "", f.dataEnd, err)
	}
	return fmt.Errorf("file %q: %s: %w", f.options.Name, what, err)
}

func (f *File) newEncryption(a *algorithm) *encryption {
	e := &encryption{keys: f.options.Keys, unlocked: map[unlockedKey]*ColumnChunk{}}
	if !a.known {
		e.err = errs.Unsupported("an encryption algorithm other than AES_GCM_V1 and AES_GCM_CTR_V1")
		return e
	}
	var prefix []byte
	prefix, e.err = e.aadPrefix(a)
	aad := append(append(make([]byte, 0, len(prefix)+len(a.fileUnique)), prefix...), a.fileUnique...)
	e.modules.AAD, e.modules.CTR = aad, a.ctr
	return e
}

// errOtherFile says that the file is not the one that the AAD prefix stands for.
var errOtherFile = errors.New("it is not the file that AADPrefix stands for")

// aadPrefix is the file's AAD prefix (section 4.4.1). A prefix that is given says which
// file is expected, so that a file with another one must not be read.
func (e *encryption) aadPrefix(a *algorithm) ([]byte, error) {
	var given []byte
	if e.keys != nil {
		given = e.keys.AADPrefix()
	}
	switch {
	case len(given) == 0 && len(a.aadPrefix) == 0 && a.supplyPrefix:
		return nil, fmt.Errorf("%w: its AAD prefix is not in the file: set AADPrefix", errs.ErrKeyMissing)
	case len(given) == 0:
		return a.aadPrefix, nil
	case len(a.aadPrefix) > 0 && !bytes.Equal(given, a.aadPrefix):
		return nil, fmt.Errorf("%w: it has another AAD prefix", errOtherFile)
	case len(a.aadPrefix) == 0 && !a.supplyPrefix:
		return nil, fmt.Errorf("%w: it was written without an AAD prefix", errOtherFile)
	}
	return given, nil
}

// readFooterKey asks for the footer's key.
func (e *encryption) readFooterKey(ctx context.Context, metadata []byte) error {
	if e.keys == nil {
		return errNoKeys
	}
	key, err := e.keys.FooterKey(ctx, metadata)
	if err == nil {
		e.footerKey, err = crypto.NewKey(key)
	}
	return err
}

var errNoKeys = fmt.Errorf("%w: set FooterKey and ColumnKeys, KeyRetriever or KMS", errs.ErrKeyMissing)

// signs reports whether the writer is known to sign every plaintext footer of a file with
// encrypted columns.
func (w Writer) signs() bool { return w.namesGCM() || w.Application == "parquet-mr" }

// namesGCM reports whether the writer names AES_GCM_V1 in every plaintext footer, because
// that is how it signs the footer, even where its pages are in CTR mode: Arrow C++
// (FileMetaDataBuilder in cpp/src/parquet/metadata.cc) and arrow-go.
func (w Writer) namesGCM() bool {
	return w.Application == "parquet-go" || w.Application == "parquet-cpp-arrow" || w.Application == "parquet-cpp"
}
