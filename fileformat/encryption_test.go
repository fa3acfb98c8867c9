package fileformat_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestWithoutAAD: DuckDB encrypts without AAD, so that parts of its files can be
// exchanged. No other writer's file is read in this way.
func TestWithoutAAD(t *testing.T) {
	const key = "0123456789012345"
	data, err := os.ReadFile("../testdata/files/duckdb/encrypted_128_v1_snappy.parquet.encrypted")
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - 8
	at := end - int(binary.LittleEndian.Uint32(data[end:]))
	for at < end && int(binary.LittleEndian.Uint32(data[at:])) != end-at-4 {
		at++
	}
	nonce := data[at+4 : at+16]
	footer, err := gcm.Open(nil, nonce, data[at+16:end], nil)
	if err != nil {
		t.Fatal(err)
	}
	for created, valid := range map[string]bool{"DuckDB version": true, "DackDB version": false, "arrow- version": false} {
		changed := bytes.Replace(footer, []byte("DuckDB version"), []byte(created), 1)
		file := append(append(bytes.Clone(data[:at+16]), gcm.Seal(nil, nonce, changed, nil)...), data[end:]...)
		_, err := fileformat.Open(bytes.NewReader(file), int64(len(file)), fileformat.Options{Keys: chunktest.Keys{Footer: key}})
		var corrupt *errs.CorruptError
		if valid && err != nil || !valid && !errors.As(err, &corrupt) {
			t.Errorf("created by %q: %v", created, err)
		}
	}
}

// plainFooter is a file with a plaintext footer, which the key signs.
const (
	plainFooter    = "../testdata/files/arrow-go/encrypted/gcm_plain_128_stored_uniform.parquet.encrypted"
	plainFooterKey = "footer key of 16"
)

// TestEncryptedStripped: a footer that names its signing key has a signature.
func TestEncryptedStripped(t *testing.T) {
	data, err := os.ReadFile(plainFooter)
	if err != nil {
		t.Fatal(err)
	}
	n := len(data)
	length := int(data[n-8]) | int(data[n-7])<<8
	stripped := append(bytes.Clone(data[:n-8-28]), byte(length-28), byte((length-28)>>8), 0, 0, 'P', 'A', 'R', '1')
	keys := chunktest.Keys{Footer: plainFooterKey}
	if _, err := fileformat.Open(bytes.NewReader(stripped), int64(len(stripped)), fileformat.Options{Keys: keys}); err == nil {
		t.Error("a footer without its signature")
	}
}

// TestFooterFlips: with the key of a plaintext footer no change of the footer goes unseen,
// not even one that makes its signature impossible to check.
func TestFooterFlips(t *testing.T) {
	data, err := os.ReadFile(plainFooter)
	if err != nil {
		t.Fatal(err)
	}
	read := func() error {
		_, err := fileformat.Open(bytes.NewReader(data), int64(len(data)), fileformat.Options{Keys: chunktest.Keys{Footer: plainFooterKey}})
		return err
	}
	if err := read(); err != nil {
		t.Fatal(err)
	}
	end := len(data) - 8
	for i := end - int(binary.LittleEndian.Uint32(data[end:])); i < len(data); i++ {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if read() == nil {
				t.Errorf("byte %d of %d, bit %d", i, len(data), bit)
			}
			data[i] ^= 1 << bit
		}
	}
}
