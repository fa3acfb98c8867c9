package encoding

// NewBool is the decoder of BOOLEAN: PLAIN or RLE. Like all of these it returns
// an errs.ErrUnsupported for an encoding that the specification does not give to
// the type. Dictionaries are PLAIN, and codes are read by Indices.
func NewBool(e Encoding) (Decoder[bool], error) {
	switch e {
	case Plain:
		return &plainBool{}, nil
	case RLE:
		return &rleBool{}, nil
	}
	return nil, unsupported(e, "BOOLEAN")
}

// NewInt32 is the decoder of INT32: PLAIN, DELTA_BINARY_PACKED or BYTE_STREAM_SPLIT.
func NewInt32(e Encoding) (Decoder[int32], error) {
	switch e {
	case Plain:
		return newPlain32[int32](), nil
	case DeltaBinaryPacked:
		return &delta[int32]{}, nil
	case ByteStreamSplit:
		return newSplit32[int32](), nil
	}
	return nil, unsupported(e, "INT32")
}

// NewInt64 is the decoder of INT64: PLAIN, DELTA_BINARY_PACKED or BYTE_STREAM_SPLIT.
func NewInt64(e Encoding) (Decoder[int64], error) {
	switch e {
	case Plain:
		return newPlain64[int64](), nil
	case DeltaBinaryPacked:
		return &delta[int64]{}, nil
	case ByteStreamSplit:
		return newSplit64[int64](), nil
	}
	return nil, unsupported(e, "INT64")
}

// NewInt96 is the decoder of INT96: PLAIN.
func NewInt96(e Encoding) (Decoder[Int96], error) {
	if e == Plain {
		return newPlain96(), nil
	}
	return nil, unsupported(e, "INT96")
}

// NewFloat is the decoder of FLOAT: PLAIN, BYTE_STREAM_SPLIT or ALP.
func NewFloat(e Encoding) (Decoder[float32], error) {
	switch e {
	case Plain:
		return newPlain32[float32](), nil
	case ByteStreamSplit:
		return newSplit32[float32](), nil
	case ALP:
		return newALPFloat(), nil
	}
	return nil, unsupported(e, "FLOAT")
}

// NewDouble is the decoder of DOUBLE: PLAIN, BYTE_STREAM_SPLIT or ALP.
func NewDouble(e Encoding) (Decoder[float64], error) {
	switch e {
	case Plain:
		return newPlain64[float64](), nil
	case ByteStreamSplit:
		return newSplit64[float64](), nil
	case ALP:
		return newALPDouble(), nil
	}
	return nil, unsupported(e, "DOUBLE")
}

// NewBytes is the decoder of BYTE_ARRAY: PLAIN, DELTA_LENGTH_BYTE_ARRAY or
// DELTA_BYTE_ARRAY.
func NewBytes(e Encoding) (Decoder[string], error) {
	switch e {
	case Plain:
		return &plainBytes{}, nil
	case DeltaLengthByteArray:
		return &deltaLength{}, nil
	case DeltaByteArray:
		return &deltaByteArray{length: -1}, nil
	}
	return nil, unsupported(e, "BYTE_ARRAY")
}

// NewFixed is the decoder of FIXED_LEN_BYTE_ARRAY of that length, which may be 0
// but not negative: PLAIN, BYTE_STREAM_SPLIT or DELTA_BYTE_ARRAY.
func NewFixed(e Encoding, length int) (Decoder[string], error) {
	switch {
	case length < 0:
		return nil, errLength
	case e == Plain, e == ByteStreamSplit && length == 0: // no bytes either way
		return &plainFixed{length: length}, nil
	case e == ByteStreamSplit:
		return &splitFixed{streams{size: length}}, nil
	case e == DeltaByteArray:
		return &deltaByteArray{length: length}, nil
	}
	return nil, unsupported(e, "FIXED_LEN_BYTE_ARRAY")
}
