package encoding

import "github.com/parquetsql/parquetsql/fileformat"

// NewBool is the decoder of BOOLEAN: PLAIN or RLE. Like all constructors here it
// returns an errs.ErrUnsupported for an encoding that the specification does not
// allow for the type. Dictionaries are PLAIN, and codes are read by Indices.
func NewBool(e fileformat.Encoding) (Decoder[bool], error) {
	switch e {
	case fileformat.Plain:
		return &plainBool{}, nil
	case fileformat.RLE:
		return &rleBool{}, nil
	}
	return nil, unsupported(e, "BOOLEAN")
}

// NewInt32 is the decoder of INT32: PLAIN, DELTA_BINARY_PACKED or BYTE_STREAM_SPLIT.
func NewInt32(e fileformat.Encoding) (Decoder[int32], error) {
	switch e {
	case fileformat.Plain:
		return newPlain32[int32](), nil
	case fileformat.DeltaBinaryPacked:
		return &delta[int32]{}, nil
	case fileformat.ByteStreamSplit:
		return newSplit32[int32](), nil
	}
	return nil, unsupported(e, "INT32")
}

// NewInt64 is the decoder of INT64: PLAIN, DELTA_BINARY_PACKED or BYTE_STREAM_SPLIT.
func NewInt64(e fileformat.Encoding) (Decoder[int64], error) {
	switch e {
	case fileformat.Plain:
		return newPlain64[int64](), nil
	case fileformat.DeltaBinaryPacked:
		return &delta[int64]{}, nil
	case fileformat.ByteStreamSplit:
		return newSplit64[int64](), nil
	}
	return nil, unsupported(e, "INT64")
}

// NewInt96 is the decoder of INT96: PLAIN.
func NewInt96(e fileformat.Encoding) (Decoder[Int96], error) {
	if e == fileformat.Plain {
		return newPlain96(), nil
	}
	return nil, unsupported(e, "INT96")
}

// NewFloat is the decoder of FLOAT: PLAIN, BYTE_STREAM_SPLIT or ALP.
func NewFloat(e fileformat.Encoding) (Decoder[float32], error) {
	switch e {
	case fileformat.Plain:
		return newPlain32[float32](), nil
	case fileformat.ByteStreamSplit:
		return newSplit32[float32](), nil
	case fileformat.ALP:
		return newALPFloat(), nil
	}
	return nil, unsupported(e, "FLOAT")
}

// NewDouble is the decoder of DOUBLE: PLAIN, BYTE_STREAM_SPLIT or ALP.
func NewDouble(e fileformat.Encoding) (Decoder[float64], error) {
	switch e {
	case fileformat.Plain:
		return newPlain64[float64](), nil
	case fileformat.ByteStreamSplit:
		return newSplit64[float64](), nil
	case fileformat.ALP:
		return newALPDouble(), nil
	}
	return nil, unsupported(e, "DOUBLE")
}

// NewBytes is the decoder of BYTE_ARRAY: PLAIN, DELTA_LENGTH_BYTE_ARRAY or
// DELTA_BYTE_ARRAY.
func NewBytes(e fileformat.Encoding) (Decoder[string], error) {
	switch e {
	case fileformat.Plain:
		return &plainBytes{}, nil
	case fileformat.DeltaLengthByteArray:
		return &deltaLength{}, nil
	case fileformat.DeltaByteArray:
		return &deltaByteArray{length: -1}, nil
	}
	return nil, unsupported(e, "BYTE_ARRAY")
}

// NewFixed is the decoder of FIXED_LEN_BYTE_ARRAY of that length, which may be 0
// but not negative: PLAIN, BYTE_STREAM_SPLIT or DELTA_BYTE_ARRAY.
func NewFixed(e fileformat.Encoding, length int) (Decoder[string], error) {
	switch {
	case length < 0:
		return nil, errLength
	case e == fileformat.Plain, e == fileformat.ByteStreamSplit && length == 0: // no bytes either way
		return &plainFixed{length: length}, nil
	case e == fileformat.ByteStreamSplit:
		return &splitFixed{streams{size: length}}, nil
	case e == fileformat.DeltaByteArray:
		return &deltaByteArray{length: length}, nil
	}
	return nil, unsupported(e, "FIXED_LEN_BYTE_ARRAY")
}
