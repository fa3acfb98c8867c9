package encoding

import "github.com/parquetsql/parquetsql/fileformat/internal/le"

// plain reads PLAIN values of a fixed size: their 4, 8 or 12 bytes, little-endian,
// back to back (Encodings.md, "Plain"). The only error is a page that ends before
// the last requested value.
type plain[T any] struct {
	data []byte
	left int
	size int // bytes per value
	more More
	copy func(dst []T, src []byte) // called once per Decode, or piece
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
	d.data, d.left, d.more = data, max(n, 0), nil
	return nil
}

// Continue implements Pieced.
func (d *plain[T]) Continue(more More) { d.more = more }

// fill makes sure that there are values, n of them if they are few.
func (d *plain[T]) fill(n int) (err error) {
	if n = min(n, mostView/d.size); n > len(d.data)/d.size {
		d.data, err = d.more.again(d.data, n*d.size)
	}
	return err
}

func (d *plain[T]) Decode(dst []T) (int, error) {
	dst = dst[:min(len(dst), d.left)]
	for done := 0; done < len(dst); {
		from := d.data
		n := min(len(from)/d.size, len(dst)-done)
		if n == 0 {
			if err := d.fill(len(dst) - done); err != nil {
				return 0, err
			}
			continue
		}
		d.copy(dst[done:done+n], from)
		d.data, d.left, done = from[n*d.size:], d.left-n, done+n
	}
	return len(dst), nil
}

// View implements Viewer. It returns fewer than n values if fewer are left.
func (d *plain[T]) View(n int) ([]T, bool, error) {
	n = min(max(n, 0), d.left)
	if d.more != nil && n > mostView/d.size {
		return nil, false, nil
	}
	if n > len(d.data)/d.size {
		var err error
		if d.data, err = d.more.again(d.data, n*d.size); err != nil {
			return nil, false, err
		}
	}
	values := d.view(d.data, n)
	if values != nil {
		d.data, d.left = d.data[n*d.size:], d.left-n
	}
	return values, values != nil, nil
}

func (d *plain[T]) Skip(n int) (int, error) {
	n = min(max(n, 0), d.left)
	for todo := n; todo > 0; {
		k := min(todo, len(d.data)/d.size)
		if k == 0 {
			if err := d.fill(todo); err != nil {
				return 0, err
			}
			continue
		}
		d.data, d.left, todo = d.data[k*d.size:], d.left-k, todo-k
	}
	return n, nil
}
