// Package crypto decrypts the modules of encrypted files (Encryption.md of the format).
//
// A module is a page, a page header, an index, a column chunk's metadata or the footer
// (section 5.1). AES_GCM_V1 encrypts all of them with AES in GCM mode:
//
//	length (4 bytes, little-endian) | nonce (12 bytes) | ciphertext | tag (16 bytes)
//
// AES_GCM_CTR_V1 encrypts pages with AES in CTR mode, which has no tag, and all other
// modules as above:
//
//	length (4 bytes, little-endian) | nonce (12 bytes) | ciphertext
//
// The length does not count its own four bytes.
//
// The tag also covers data that is not stored with the module, its AAD (section 4.4):
// it says which module of which file this is, so that no module can stand in for
// another one. See File and Chunk.
package crypto

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	// LengthBytes is the size of the length in front of a module.
	LengthBytes = 4
	// Overhead is how much longer a module in GCM mode is than its plaintext.
	Overhead = LengthBytes + nonceBytes + tagBytes
	// SignatureBytes is the size of a plaintext footer's signature: nonce and tag.
	SignatureBytes = nonceBytes + tagBytes

	nonceBytes = 12
	tagBytes   = 16
)

var (
	// ErrAuthentic says that a module does not decrypt. The reasons cannot be distinguished.
	ErrAuthentic = errors.New("it does not decrypt: the key is wrong, or the bytes were changed or belong to another place or file")
	// ErrLength says that the length of a module is not the one that it must have.
	ErrLength = errors.New("an encrypted module of a wrong length")
	// ErrKeySize is the error of a key that is none of AES.
	ErrKeySize = errors.New("an AES key has 16, 24 or 32 bytes")
)

// Key is an AES key, ready for use by several goroutines.
type Key struct {
	block cipher.Block
	gcm   cipher.AEAD
}

// NewKey makes a Key of 16, 24 or 32 bytes.
func NewKey(key []byte) (*Key, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("%w, not %d", ErrKeySize, len(key))
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &Key{block: block, gcm: gcm}, nil
}

// Length is the length of the module that begins with buf, its four bytes of length
// included. buf has at least these four bytes.
func Length(buf []byte) int64 { return LengthBytes + int64(binary.LittleEndian.Uint32(buf)) }

// open appends the plaintext of a module in GCM mode to dst.
func (k *Key) open(dst, module, aad []byte) ([]byte, error) {
	if len(module) < LengthBytes+nonceBytes+tagBytes || Length(module) != int64(len(module)) {
		return nil, ErrLength
	}
	out, err := k.gcm.Open(dst, module[LengthBytes:LengthBytes+nonceBytes], module[LengthBytes+nonceBytes:], aad)
	if err != nil {
		return nil, ErrAuthentic
	}
	return out, nil
}

// openCTR appends the plaintext of a module in CTR mode to dst. The counter begins with
// 1 (section 4.2.2).
func (k *Key) openCTR(dst, module []byte) ([]byte, error) {
	if len(module) < LengthBytes+nonceBytes || Length(module) != int64(len(module)) {
		return nil, ErrLength
	}
	iv := make([]byte, aes.BlockSize)
	copy(iv, module[LengthBytes:LengthBytes+nonceBytes])
	iv[aes.BlockSize-1] = 1
	from := len(dst)
	dst = append(dst, module[LengthBytes+nonceBytes:]...)
	cipher.NewCTR(k.block, iv).XORKeyStream(dst[from:], dst[from:])
	return dst, nil
}

// signed reports whether a signature is that of the text: the text is encrypted, and
// only its tag is compared (section 5.5).
func (k *Key) signed(text, signature, aad []byte) bool {
	nonce, tag := signature[:nonceBytes], signature[nonceBytes:]
	sealed := k.gcm.Seal(nil, nonce, text, aad)
	return subtle.ConstantTimeCompare(sealed[len(text):], tag) == 1
}
