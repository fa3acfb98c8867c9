package mutant

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
)

// Keys are those of an encrypted file.
type Keys struct {
	Footer    []byte            `json:"footer_key"`
	Columns   map[string][]byte `json:"column_keys"` // by path
	AADPrefix []byte            `json:"aad_prefix"`  // of files that do not store it
}

// The types of modules (Encryption.md, section 4.4.2).
const (
	moduleFooter byte = iota
	moduleColumnMetaData
	moduleDataPage
	moduleDictionaryPage
	moduleDataPageHeader
	moduleDictionaryPageHeader
)

// sealing encrypts and decrypts the modules of a file.
type sealing struct {
	keys   Keys
	aad    []byte // prefix and identifier of the file; nil where modules have no AAD
	ctr    bool   // pages are in CTR mode
	plain  bool   // the footer is signed, not encrypted
	crypto *value // FileCryptoMetaData, in front of an encrypted footer
	nonce  *rand.Rand
}

// seal makes a module.
func (s *sealing) seal(key, plain []byte, ctr bool, aad []byte) []byte {
	nonce := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, s.nonce.Uint32()), s.nonce.Uint64())
	out := append(make([]byte, 4), nonce...)
	if block, err := aes.NewCipher(key); err != nil {
		panic(err) // the key has decrypted the file
	} else if ctr {
		out = append(out, plain...)
		cipher.NewCTR(block, append(nonce, 0, 0, 0, 1)).XORKeyStream(out[16:], out[16:])
	} else {
		gcm, err := cipher.NewGCM(block)
		if err != nil {
			panic(err) // of the size of AES's blocks
		}
		out = gcm.Seal(out, nonce, plain, aad)
	}
	binary.LittleEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

// open decrypts the module at the beginning of bytes and returns its length.
func (s *sealing) open(key, in []byte, ctr bool, aad []byte) (plain []byte, n int, err error) {
	if len(in) < 16 || uint64(binary.LittleEndian.Uint32(in)) > uint64(len(in)-4) || binary.LittleEndian.Uint32(in) < 12 {
		return nil, 0, errFile
	}
	n = 4 + int(binary.LittleEndian.Uint32(in))
	nonce, text := in[4:16], in[16:n]
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, 0, err
	}
	if ctr {
		plain = bytes.Clone(text)
		cipher.NewCTR(block, append(bytes.Clone(nonce), 0, 0, 0, 1)).XORKeyStream(plain, plain)
		return plain, n, nil
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, 0, err
	}
	plain, err = gcm.Open(nil, nonce, text, aad)
	return plain, n, err
}

// aadOf is the AAD of a module.
func (s *sealing) aadOf(kind byte, ordinals ...int) []byte {
	if s.aad == nil {
		return nil
	}
	out := append(bytes.Clone(s.aad), kind)
	for _, n := range ordinals {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// keyOf is the key of a chunk, nil if its pages are not encrypted.
func (s *sealing) keyOf(chunk *value) []byte {
	crypto := chunk.get(8)
	if crypto == nil && s.aad != nil {
		return nil
	}
	if crypto != nil && crypto.get(2) != nil {
		if path := crypto.get(2, 1); path != nil {
			var names []string
			for _, name := range path.list {
				names = append(names, string(name.bytes))
			}
			for n := len(names); n > 0; n-- {
				if key, ok := s.keys.Columns[strings.Join(names[:n], ".")]; ok {
					return key
				}
			}
		}
	}
	return s.keys.Footer
}

// place is where a chunk is.
type place struct{ group, column int }

// chunks calls f for each chunk with its place.
func (l *layout) chunks(f func(at place, chunk *value) error) error {
	groups := l.footer.get(4)
	if groups == nil {
		return nil
	}
	for g := range groups.list {
		columns := groups.list[g].get(1)
		if columns == nil {
			continue
		}
		for c := range columns.list {
			if err := f(place{g, c}, &columns.list[c]); err != nil {
				return err
			}
		}
	}
	return nil
}

// splitSealed is split of an encrypted file. The metadata of its chunks is
// decrypted into their third field.
func splitSealed(data []byte, keys Keys, r *rand.Rand) (*layout, *sealing, error) {
	if len(data) < 12 || len(keys.Footer) == 0 {
		return nil, nil, errFile
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	if size > len(data)-12 {
		return nil, nil, errFile
	}
	body, raw := data[:len(data)-8-size], data[len(data)-8-size:len(data)-8]
	l, s := &layout{body: slices.Clip(body)}, &sealing{keys: keys, nonce: r}
	var err error
	var algorithm *value
	if s.plain = string(data[len(data)-4:]) == "PAR1"; s.plain {
		if l.footer, _, err = parseStruct(raw); err != nil {
			return nil, nil, err
		}
		algorithm = l.footer.get(8)
	} else {
		var n int
		if s.crypto, n, err = parseStruct(raw); err != nil {
			return nil, nil, err
		}
		algorithm, raw = s.crypto.get(1), raw[n:]
	}
	if algorithm == nil || len(algorithm.fields) != 1 {
		return nil, nil, errFile
	}
	a := &algorithm.fields[0]
	s.ctr = a.id == 2
	if prefix, unique := a.text(1), a.text(2); unique != "" {
		if prefix == "" {
			prefix = string(keys.AADPrefix)
		}
		s.aad = []byte(prefix + unique)
	}
	if !s.plain {
		text, _, err := s.open(keys.Footer, raw, false, s.aadOf(moduleFooter))
		if err != nil {
			return nil, nil, err
		}
		if l.footer, _, err = parseStruct(text); err != nil {
			return nil, nil, err
		}
	}
	err = l.chunks(func(at place, chunk *value) error {
		hidden := chunk.get(9)
		if hidden == nil {
			return nil
		}
		text, _, err := s.open(s.keyOf(chunk), hidden.bytes, false, s.aadOf(moduleColumnMetaData, at.group, at.column))
		if err != nil {
			return err
		}
		v, _, err := parseStruct(text)
		if err != nil {
			return err
		}
		chunk.drop(3)
		chunk.fields = append(chunk.fields, field{3, *v})
		return nil
	})
	if at, chunk := s.chunkAt(l, r); err == nil && s.plain && chunk != nil {
		// Arrow names the mode of the signature, not that of the pages.
		if _, other := s.sealedPages(l, at, chunk); other != nil {
			s.ctr = true
		}
	}
	return l, s, err
}

// put makes the encrypted file again.
func (s *sealing) put(l *layout) []byte {
	_ = l.chunks(func(at place, chunk *value) error {
		key, hidden, open := s.keyOf(chunk), chunk.get(9), chunk.get(3)
		if key != nil && hidden != nil && open != nil && hidden.typ == typeBinary { // else damaged
			hidden.bytes = s.seal(key, open.appendTo(nil), false, s.aadOf(moduleColumnMetaData, at.group, at.column))
			chunk.drop(3)
		}
		return nil
	})
	text := l.footer.appendTo(nil)
	out := slices.Clone(l.body)
	magic := "PAR1"
	if s.plain {
		sealed := s.seal(s.keys.Footer, text, false, s.aadOf(moduleFooter))
		out = append(append(append(out, text...), sealed[4:16]...), sealed[len(sealed)-16:]...)
	} else {
		magic = "PARE"
		out = s.crypto.appendTo(out)
		out = append(out, s.seal(s.keys.Footer, text, false, s.aadOf(moduleFooter))...)
	}
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(out)-len(l.body))), magic...)
}
