package spill

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
)

// sealBytes is what sealing adds to a block: the nonce and the tag.
const sealBytes = 12 + 16

// newSeal is AES-256-GCM with a random key. Each block has a random nonce, which is safe
// for 2^32 blocks.
func newSeal() (cipher.AEAD, error) {
	var key [32]byte
	if _, err := rand.Read(key[:]); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// aad ties a sealed piece to its place: a piece of another place does not open.
func aad(p piece) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(p.off)) }
