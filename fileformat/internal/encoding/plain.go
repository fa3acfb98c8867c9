package encoding

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// plain reads PLAIN values of a fixed size: their 4, 8 or 12 bytes, little-endian,
// back to back (Encodings.md, "Plain"). The only error is a page that ends before
// the last requested value.
type plain[T any] struct {
	data []byte
	left int
	size int                       // bytes per value
	copy func(dst []T, src []byte) // called once per Decode
	view func(src []byte, n int) []T
}

func newPlain32[T le.Word32]() *plain[T] {
	return &plain[T]{size: 4, copy: le.Copy32[T], view: le.View32[T]}
}

func newPlain64[T le.Word64]() *plain[T] {
	return &plain[T]{size: 8, copy: le.Copy64[T], view: le.View64[T]}
}

func newPlain96() *plain[Int96] {
	return &plain[Int96]{size: 12, copy: le.Copy96[Int96], view: le.View96[Int96]}
}

func (d *plain[T]) Reset(data []byte, n int) error {
	d.data, d.left = data, max(n, 0)
	return nil
}

func (d *plain[T]) Decode(dst []T) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	from := d.data
	if _, err := d.Skip(len(dst)); err != nil {
		return 0, err
	}
	d.copy(dst, from)
	return len(dst), nil
}

// View implements Viewer. It returns fewer than n values if fewer are left.
func (d *plain[T]) View(n int) ([]T, bool, error) {
	from, left := d.data, d.left
	k, err := d.Skip(n)
	if err != nil {
		return nil, false, err
	}
	values := d.view(from, k)
	if values == nil {
		d.data, d.left = from, left
	}
	return values, values != nil, nil
}

func (d *plain[T]) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	if n > len(d.data)/d.size {
		return 0, errShort
	}
	d.left -= n
	d.data = d.data[n*d.size:]
	return n, nil
}
