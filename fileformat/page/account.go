package page

// account charges the memory of a reader: of bytes from the file, of decrypted and of
// decompressed pages, from before it is taken until no batch points to it. See
// Options.Reserve.
type account struct{ options *Options }

// reserve charges bytes. Its error is a refusedError.
func (a account) reserve(bytes int64) error {
	if a.options == nil || a.options.Reserve == nil {
		return nil
	}
	if err := a.options.Reserve(bytes); err != nil {
		return refusedError{err}
	}
	return nil
}

// release is called when charged bytes are not in use any longer.
func (a account) release(bytes int64) {
	if a.options != nil && a.options.Release != nil && bytes > 0 {
		a.options.Release(bytes)
	}
}

// ReserveKept requests memory that stays in use until Close.
func (r *Reader) ReserveKept(bytes int64) error {
	err := r.account.reserve(bytes)
	if err == nil {
		r.kept += bytes
	}
	return err
}
