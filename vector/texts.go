package vector

import "strings"

// Texts says who owns the memory of a vector's texts, and so how long they are valid. All values
// of strings are texts here: those of a BLOB, too.
type Texts uint8

const (
	// Lent texts are valid as long as their batch: the memory is its producer's, who uses it
	// again. Who keeps one copies it. It is the zero value: who forgets to say more makes others
	// copy, and never has them read a wrong text.
	Lent Texts = iota
	// Shared texts are valid as long as something points to them. One may keep much else in
	// memory, such as the page that it is in.
	Shared
	// Owned texts are valid as long as something points to them, and keep nothing else in memory
	// than texts of the same column and batch.
	Owned
)

// Owner is the least of what holds for the texts of v, and for those within its values. It is
// Owned where there are none.
func (v *Vector) Owner() Texts {
	switch storage := v.Type.Storage(); {
	case storage != StoreString && storage != StoreNested, v.Len == 0, v.Form == Constant && v.IsNull(0):
		return Owned
	case v.Form == Dictionary:
		return v.Dict.Owner()
	case storage == StoreString:
		return v.Texts
	}
	least := Owned
	for _, c := range v.Children {
		least = min(least, c.Owner())
	}
	return least
}

// Raise says that the texts of v, and those within its values, are at least t. Only who made
// them can know.
func (v *Vector) Raise(t Texts) {
	switch storage := v.Type.Storage(); {
	case v.Form == Dictionary:
		if v.Dict.Owner() < t { // others may read the dictionary at the same time
			v.Dict.Raise(t)
		}
	case storage == StoreString:
		if v.Texts < t {
			v.Texts = t
		}
	case storage == StoreNested:
		for _, c := range v.Children {
			c.Raise(t)
		}
	}
}

// Lease is of Lent texts that stay valid without a copy if Keep is called while the batch is
// valid.
type Lease interface{ Keep() }

// Keep makes the texts of v's dictionary stay valid, if that takes no copy. Whoever hands v to
// another goroutine calls it before.
func (v *Vector) Keep() {
	if v.Form == Dictionary && v.Dict.Lease != nil && v.Owner() == Lent {
		v.Dict.Lease.Keep()
		v.Dict.Texts = Shared
	}
}

// Own makes the texts of the listed rows, all of them if rows is nil, the caller's: it returns
// a copy of v in into, in which other rows are arbitrary and texts under NULLs empty. into may
// be nil, or v itself where all rows are listed. It returns v itself where there is
// nothing to copy: its texts are Owned already, or of a dictionary that stays. So it does where
// they have more than limit bytes; that does not go for texts within nested values.
//
// bytes is the length of the texts that are to be copied. It fails as Gather does.
func (v *Vector) Own(rows []int32, limit int, into *Vector) (out *Vector, bytes int, err error) {
	v.Keep()
	switch owner := v.Owner(); {
	case owner == Owned, v.Form == Dictionary && owner == Shared:
		return v, 0, nil
	case into == nil:
		into = &Vector{}
	}
	switch {
	case v.Form == Dictionary:
		return v.ownDict(limit, into)
	case v.Type.Storage() == StoreNested:
		return v.ownChildren(into)
	}
	texts, n := into.Str, v.Len
	if v.Form == Constant {
		rows, n = nil, 1
	}
	if into != v {
		texts = Resize(texts, n)
		clear(texts) // what is not listed keeps nothing of the batch before
	}
	texts = texts[:n]
	if rows != nil {
		n = len(rows)
	}
	for i := range n {
		at := rowAt(rows, i)
		if v.IsNull(at) {
			texts[at] = ""
			continue
		}
		texts[at] = v.Str[at]
		bytes += len(v.Str[at])
	}
	if bytes > limit {
		if into != v {
			clear(texts)
			into.Str = texts
		}
		return v, bytes, nil
	}
	ownTexts(texts, rows, bytes)
	if into != v {
		*into = *v
	}
	into.Str, into.Texts = texts, Owned
	return into, bytes, nil
}

// ownDict is Own of a dictionary vector.
func (v *Vector) ownDict(limit int, into *Vector) (*Vector, int, error) {
	dict, bytes, err := v.Dict.Own(nil, limit, nil)
	if err != nil || dict == v.Dict {
		return v, bytes, err
	}
	*into = *v
	into.Dict = dict
	return into, bytes, nil
}

// ownChildren is Own of a vector of values that have others in them.
func (v *Vector) ownChildren(into *Vector) (*Vector, int, error) {
	bytes, own := 0, Vector{Type: v.Type}
	err := own.AppendOwned(v, nil, func(list []string) {
		total := 0
		for _, s := range list {
			total += len(s)
		}
		ownTexts(list, nil, total)
		bytes += total
	})
	own.Raise(Owned)
	*into = own
	return into, bytes, err
}

// ownTexts makes the listed strings, of so many bytes together, copies that lie one after the
// other.
func ownTexts(list []string, rows []int32, bytes int) {
	n := len(list)
	if rows != nil {
		n = len(rows)
	}
	var all strings.Builder
	all.Grow(bytes)
	for i := range n {
		at, start := rowAt(rows, i), all.Len()
		all.WriteString(list[at])
		list[at] = all.String()[start:]
	}
}

// Touch reads a byte of each text. The reads do not wait for each other, as those of what works on the texts one after the other do: it finds them
// in the cache. What it returns has no meaning.
//
//go:noinline
func Touch(texts []string) (sum byte) {
	for _, s := range texts {
		if len(s) > 0 {
			sum += s[0]
		}
	}
	return sum
}
