package keys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
)

// The key material of parquet-java's package org.apache.parquet.crypto.keytools, which
// Arrow C++ and pyarrow write too. Key metadata is a JSON object,
//
//	{"keyMaterialType": "PKMT1", "internalStorage": true, …}
//
// with the material in it, or
//
//	{"keyMaterialType": "PKMT1", "internalStorage": false, "keyReference": "columnKey0"}
//
// The material is then in the file _KEY_MATERIAL_FOR_<name of the data file>.json beside
// the data file: an object that has, under each reference, the material as a string of
// JSON. So the master keys can be changed without writing the data file anew. Material:
//
//	isFooterKey         the material is that of the footer key
//	kmsInstanceID       which KMS knows the master key; only in the footer key's
//	kmsInstanceURL      material, and the same for all keys of the file
//	masterKeyID         the master key, which never leaves the KMS
//	wrappedDEK          the wrapped data key
//	doubleWrapping      if false, the master key has wrapped the data key; if true, a
//	                    key encryption key (KEK) has, and the master key the KEK
//	keyEncryptionKeyID  only with doubleWrapping: the KEK's name in base64
//	wrappedKEK          only with doubleWrapping
//
// What the master key wraps has a form of the KMS's own. With double wrapping, wrappedDEK
// is in base64 what AES-GCM makes of the data key, under the KEK and with the bytes of the
// KEK's name as AAD: a nonce of 12 bytes, the ciphertext, a tag of 16 bytes. A KEK is made
// for many files, so that the KMS is asked less often.
const (
	materialType   = "PKMT1"
	externalPrefix = "_KEY_MATERIAL_FOR_"
	externalSuffix = ".json"
	footerKeyEntry = "footerKey"

	// externalLimit bounds the bytes of a file of material. A key takes about 500.
	externalLimit = 16 << 20
)

// material is key metadata and key material.
type material struct {
	Type      string `json:"keyMaterialType"`
	Internal  flag   `json:"internalStorage"`
	Reference string `json:"keyReference"`

	IsFooterKey    flag   `json:"isFooterKey"`
	MasterKeyID    string `json:"masterKeyID"`
	WrappedDEK     string `json:"wrappedDEK"`
	DoubleWrapping flag   `json:"doubleWrapping"`
	KEKID          string `json:"keyEncryptionKeyID"`
	WrappedKEK     string `json:"wrappedKEK"`
	instance
}

// instance is a KMS.
type instance struct {
	ID  string `json:"kmsInstanceID"`
	URL string `json:"kmsInstanceURL"`
}

// flag is a bool. Old versions of parquet-java write it as a string.
type flag bool

// UnmarshalJSON implements json.Unmarshaler.
func (f *flag) UnmarshalJSON(b []byte) error {
	*f = flag(strings.EqualFold(strings.Trim(string(b), `"`), "true"))
	return nil
}

var errNoMaterial = errors.New("the key metadata is not key material of type " + materialType)

// parseMaterial reads a JSON object of the type PKMT1.
func parseMaterial(b []byte) (material, error) {
	var m material
	if err := json.Unmarshal(b, &m); err != nil || m.Type != materialType {
		return material{}, errNoMaterial // the JSON error may show the text
	}
	return m, nil
}

// material returns the material that key metadata has or refers to.
func (f *file) material(ctx context.Context, metadata []byte) (material, error) {
	m, err := parseMaterial(metadata)
	if err != nil || bool(m.Internal) {
		return m, err
	}
	external, err := f.materialBeside(ctx)
	if err != nil {
		return material{}, err
	}
	text, ok := external[m.Reference]
	if !ok {
		return material{}, fmt.Errorf("the file %s has no key material %q", f.externalName(), m.Reference)
	}
	if m, err = parseMaterial([]byte(text)); err != nil {
		return material{}, fmt.Errorf("the file %s has %q, which is not key material of type %s", f.externalName(), m.Reference, materialType)
	}
	return m, nil
}

func (f *file) externalName() string { return externalPrefix + path.Base(f.name) + externalSuffix }

// materialBeside reads the material of all keys of the file, once while the KMS takes it.
func (f *file) materialBeside(ctx context.Context) (map[string]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.external != nil {
		return f.external, nil
	}
	text, err := f.beside(ctx, externalPrefix, externalSuffix, externalLimit)
	if err != nil {
		return nil, fmt.Errorf("the key material beside the file: %w", err)
	}
	var all map[string]string
	if err := json.Unmarshal(text, &all); err != nil || all == nil {
		return nil, fmt.Errorf("the file %s is not a JSON object of strings", f.externalName())
	}
	if m, err := parseMaterial([]byte(all[footerKeyEntry])); err == nil {
		f.kms = m.instance
	}
	f.external = all
	return all, nil
}

// wrapped is what a KMS is asked for.
type wrapped struct {
	instance
	masterKeyID, key string
}

// findKMS remembers which KMS has the master keys of the file, which only the footer
// key's material says.
func (f *file) findKMS(ctx context.Context, metadata []byte) {
	if f.ring.config.KMS == nil {
		return
	}
	if m, err := f.material(ctx, metadata); err == nil {
		f.mu.Lock()
		f.kms = m.instance
		f.mu.Unlock()
	}
}

// unwrap asks the KMS for the data key of key material, or for its KEK.
func (f *file) unwrap(ctx context.Context, metadata []byte) ([]byte, error) {
	m, err := f.material(ctx, metadata)
	if err != nil {
		return nil, fmt.Errorf("the KMS cannot be asked: %w", err)
	}
	w := wrapped{instance: m.instance, masterKeyID: m.MasterKeyID, key: m.WrappedDEK}
	if m.DoubleWrapping {
		w.key = m.WrappedKEK
	}
	if !m.IsFooterKey {
		f.mu.Lock()
		w.instance = f.kms
		f.mu.Unlock()
	}
	key, err := f.ring.unwrap(ctx, w)
	if err == nil && bool(m.DoubleWrapping) {
		key, err = unwrapLocally(key, m)
	}
	if err != nil {
		f.forget()
		return nil, fmt.Errorf("KMS, master key %q: %w", m.MasterKeyID, err)
	}
	return key, nil
}

// forget makes the next ask read the material beside the file again: it changes when the
// master keys do.
func (f *file) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.external = nil
}

// unwrap asks the KMS.
func (r *Ring) unwrap(ctx context.Context, w wrapped) ([]byte, error) {
	return r.unwrapped.get(ctx, w, func() ([]byte, error) {
		key, err := r.config.KMS.UnwrapKey(ctx, w.ID, w.URL, w.masterKeyID, w.key)
		if err != nil {
			return nil, err
		}
		return checked(key)
	})
}

// unwrapLocally decrypts a data key with its KEK.
func unwrapLocally(kek []byte, m material) ([]byte, error) {
	id, err := base64.StdEncoding.DecodeString(m.KEKID)
	if err != nil {
		return nil, errors.New("the key material's keyEncryptionKeyID is not base64")
	}
	text, err := base64.StdEncoding.DecodeString(m.WrappedDEK)
	if err != nil {
		return nil, errors.New("the key material's wrappedDEK is not base64")
	}
	block, err := aes.NewCipher(kek)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	if len(text) < gcm.NonceSize() {
		return nil, errors.New("the key material's wrappedDEK is too short")
	}
	key, err := gcm.Open(nil, text[:gcm.NonceSize()], text[gcm.NonceSize():], id)
	if err != nil {
		return nil, errors.New("the key that the KMS gave does not open the key material's wrappedDEK")
	}
	return checked(key)
}
