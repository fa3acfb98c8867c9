package deletion

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// fileVersion is the first byte of a file of vectors.
const fileVersion = 1

// frame is how many bytes are around a vector in a file: its length before it, its checksum behind.
const frame = 8

// FileRange is where a file has a vector of so many bytes at an offset. A vector behind the
// first byte is read with that byte, which is the version.
func FileRange(offset, size int64) (from, n int64) {
	if offset == 1 {
		return 0, size + frame + 1
	}
	return offset, size + frame
}

// FromFile is the bytes of the vector in what was read of the FileRange: its version, length and
// checksum are right.
func FromFile(data []byte, offset, size int64) ([]byte, error) {
	if offset == 1 && len(data) > 0 {
		if data[0] != fileVersion {
			return nil, fmt.Errorf("a file of deletion vectors has version %d, not %d", data[0], fileVersion)
		}
		data = data[1:]
	}
	return Framed(data, size)
}

// Framed is the bytes of a vector between its length and its checksum, which are right.
func Framed(data []byte, size int64) ([]byte, error) {
	if size < 0 || int64(len(data)) != size+frame {
		return nil, fmt.Errorf("a deletion vector of %d bytes: there are %d with its length and checksum", size, len(data))
	}
	if n := binary.BigEndian.Uint32(data); int64(n) != size {
		return nil, fmt.Errorf("a deletion vector has %d bytes in its file and %d elsewhere", n, size)
	}
	body := data[4 : 4+size]
	if sum := binary.BigEndian.Uint32(data[4+size:]); sum != crc32.ChecksumIEEE(body) {
		return nil, fmt.Errorf("a deletion vector does not match its checksum")
	}
	return body, nil
}

// FromInline is the bytes of a vector that the log has as a Z85 text, which may be longer than
// the vector, as far as the text needs.
func FromInline(text string, size int64) ([]byte, error) {
	data, err := DecodeZ85(text)
	if err != nil {
		return nil, err
	}
	if size < 0 || size > int64(len(data)) || int64(len(data))-size >= 4 {
		return nil, fmt.Errorf("a deletion vector of %d bytes: its text has %d", size, len(data))
	}
	return data[:size], nil
}

// uuidDigits is how many Z85 digits a UUID has.
const uuidDigits = 20

// RelativePath is where the file of a vector is below the table's folder, by what the log has of
// it: a random prefix, which may be empty, and the UUID of the name in Z85.
func RelativePath(text string) (string, error) {
	if len(text) < uuidDigits {
		return "", fmt.Errorf("a file of deletion vectors is named %q: that is no UUID", text)
	}
	prefix, digits := text[:len(text)-uuidDigits], text[len(text)-uuidDigits:]
	id, err := DecodeZ85(digits)
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("deletion_vector_%x-%x-%x-%x-%x.bin", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
	if prefix != "" {
		name = prefix + "/" + name
	}
	return name, nil
}
