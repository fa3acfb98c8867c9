package column

import (
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/encoding"
	"github.com/parquetsql/parquetsql/fileformat/internal/viewcheck"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// collector decodes the values of one physical type and collects those of a batch.
// It is called once per page or run of values, never once per value.
type collector interface {
	begin(forget bool)                                     // ends a batch, whose memory is the reader's again, and starts one
	reset(e fileformat.Encoding, data []byte, n int) error // starts a page of at most n values
	pieced(e fileformat.Encoding) bool
	resume(more encoding.More)
	leave()             // forgets the page
	decode(n int) error // adds the page's next n
	view(n int) error   // is the same for a batch that has no value yet and will get no other
	skip(n int) error
	check(n int, of func(*Values, int) error) error // what decode would say of the next n
	gather(d *Dictionary, codes []int32)            // adds what codes stand for
	truncate(n int)                                 // keeps the first n
	publish(v *Values)                              // puts them into a batch
	keep()                                          // see Reader.Keep
	dictionary(data []byte, n int, memory *Memory) (*Dictionary, error)
	last(n int) (value []byte, done bool, err error)
	continueFrom(last []byte)
}

var (
	errFewValues = errors.New("the page has fewer values than its levels say")
	errGrown     = fmt.Errorf("%w: the values of one batch are out of proportion to the page", errs.ErrMemoryLimit)
)

// maxShortDecodes bounds how often a decoder may deliver fewer values than requested
// within one decode. Only DELTA_BYTE_ARRAY does so, after it has built 16 MiB from
// very few bytes of the file.
const maxShortDecodes = 32

type typedValues[T any] struct {
	make     func(fileformat.Encoding) (encoding.Decoder[T], error)
	slice    func(*Values) *[]T
	decoders map[fileformat.Encoding]encoding.Decoder[T]
	decoder  encoding.Decoder[T] // of the page at hand
	out      []T                 // of the batch at hand
	inPage   []T                 // in place of out: the batch, not copied out of the page
	lent     bool                // see Options.Lent
	views    viewcheck.Values[T]
}

func newCollector(leaf *fileformat.Node, lent bool) collector {
	switch leaf.Physical {
	case fileformat.Boolean:
		return &typedValues[bool]{make: encoding.NewBool, slice: func(v *Values) *[]bool { return &v.Bool }}
	case fileformat.Int32:
		return &typedValues[int32]{make: encoding.NewInt32, slice: func(v *Values) *[]int32 { return &v.Int32 }}
	case fileformat.Int64:
		return &typedValues[int64]{make: encoding.NewInt64, slice: func(v *Values) *[]int64 { return &v.Int64 }}
	case fileformat.Int96Type:
		return &typedValues[Int96]{make: encoding.NewInt96, slice: func(v *Values) *[]Int96 { return &v.Int96 }}
	case fileformat.Float:
		return &typedValues[float32]{make: encoding.NewFloat, slice: func(v *Values) *[]float32 { return &v.Float }}
	case fileformat.Double:
		return &typedValues[float64]{make: encoding.NewDouble, slice: func(v *Values) *[]float64 { return &v.Double }}
	case fileformat.ByteArray:
		return &typedValues[string]{lent: lent, make: encoding.NewBytes, slice: func(v *Values) *[]string { return &v.Bytes }}
	case fileformat.FixedLenByteArray:
		fixed := func(e fileformat.Encoding) (encoding.Decoder[string], error) {
			return encoding.NewFixed(e, leaf.TypeLength)
		}
		return &typedValues[string]{lent: lent, make: fixed, slice: func(v *Values) *[]string { return &v.Bytes }}
	}
	return nil
}

func (v *typedValues[T]) of(e fileformat.Encoding) (encoding.Decoder[T], error) {
	if d := v.decoders[e]; d != nil {
		return d, nil
	}
	d, err := v.make(e)
	if err != nil {
		return nil, err
	}
	if v.decoders == nil {
		v.decoders = map[fileformat.Encoding]encoding.Decoder[T]{}
	}
	v.decoders[e] = d
	return d, nil
}

func (v *typedValues[T]) reset(e fileformat.Encoding, data []byte, n int) (err error) {
	if v.decoder, err = v.of(e); err != nil {
		return err
	}
	return v.decoder.Reset(data, n)
}

// leave makes the page's memory garbage while the next page is made.
func (v *typedValues[T]) leave() {
	if v.decoder != nil {
		_ = v.decoder.Reset(nil, 0)
	}
}

// grow makes room for n more values and returns that room.
func (v *typedValues[T]) grow(n int) []T {
	have := len(v.out)
	v.out = grown(v.out, n)
	return v.out[have:]
}

// grown is s with n more elements, whose content is undefined.
func grown[T any](s []T, n int) []T {
	need := len(s) + n
	if need <= cap(s) {
		return s[:need]
	}
	out := make([]T, need, max(need, 2*cap(s)))
	copy(out, s)
	return out
}

func (v *typedValues[T]) decode(n int) error {
	dst := v.grow(n)
	for range maxShortDecodes {
		k, err := v.decoder.Decode(dst)
		if err != nil {
			return err
		}
		if k == len(dst) {
			return nil
		}
		if k == 0 {
			return errFewValues
		}
		dst = dst[k:]
	}
	return errGrown
}

// view leaves the values in the page's memory if possible. That memory is valid as
// long as the batch: the page is not closed before the reader's next call.
func (v *typedValues[T]) view(n int) error {
	if in, ok := v.decoder.(encoding.Viewer[T]); ok {
		values, ok, err := in.View(n)
		switch {
		case err != nil:
			return err
		case ok && len(values) < n:
			return errFewValues
		case ok:
			v.inPage = values
			return nil
		}
	}
	return v.decode(n)
}

func (v *typedValues[T]) skip(n int) error {
	k, err := v.decoder.Skip(n)
	if err == nil && k < n {
		err = errFewValues
	}
	return err
}

func (v *typedValues[T]) check(n int, of func(*Values, int) error) error {
	have := len(v.out) // of the current batch
	defer func() { v.truncate(have) }()
	for n > 0 {
		k := min(n, valuesAtOnce)
		if err := v.decode(k); err != nil {
			return err
		}
		if of != nil {
			var some Values
			*v.slice(&some) = v.out[have:]
			if err := of(&some, k); err != nil {
				return err
			}
		}
		v.truncate(have)
		n -= k
	}
	return nil
}

func (v *typedValues[T]) gather(d *Dictionary, codes []int32) {
	from, dst := *v.slice(&d.Values), v.grow(len(codes))
	// Eight per iteration, because the loop costs as much as one look-up. No code is negative.
	for len(codes) >= 8 && len(dst) >= 8 {
		c, out := (*[8]int32)(codes), (*[8]T)(dst)
		out[0], out[1], out[2], out[3] = from[uint32(c[0])], from[uint32(c[1])], from[uint32(c[2])], from[uint32(c[3])]
		out[4], out[5], out[6], out[7] = from[uint32(c[4])], from[uint32(c[5])], from[uint32(c[6])], from[uint32(c[7])]
		codes, dst = codes[8:], dst[8:]
	}
	for i, c := range codes {
		dst[i] = from[c]
	}
}

func (v *typedValues[T]) begin(forget bool) {
	v.views.End()
	if forget {
		clear(v.out)
	}
	v.truncate(0)
}

func (v *typedValues[T]) truncate(n int) { v.out, v.inPage = v.out[:n], nil }

func (v *typedValues[T]) publish(to *Values) {
	values := v.out
	if v.inPage != nil {
		values = v.inPage
	}
	*v.slice(to) = v.views.Lend(values, v.lent)
}

func (v *typedValues[T]) keep() { v.views.Keep() }

func (v *typedValues[T]) dictionary(data []byte, n int, memory *Memory) (*Dictionary, error) {
	// A separate decoder, because v's may be in the middle of a page.
	d, err := v.make(fileformat.Plain)
	if err != nil {
		return nil, err
	}
	if err := d.Reset(data, n); err != nil {
		return nil, err
	}
	out := entries[T](memory, n)
	if n > 0 {
		k, err := d.Decode(out)
		if err != nil {
			return nil, err
		}
		if k < n {
			return nil, errFewValues
		}
	}
	dict := &Dictionary{Len: n}
	*v.slice(&dict.Values) = out
	return dict, nil
}

// entries is room for n entries of a dictionary: memory, if they are strings and it suffices.
func entries[T any](memory *Memory, n int) []T {
	if memory != nil {
		if m, ok := any(&memory.entries).(*[]T); ok && cap(*m) >= n {
			out := (*m)[:n]
			*m = nil // until the dictionary is given back
			return out
		}
	}
	return make([]T, n)
}
