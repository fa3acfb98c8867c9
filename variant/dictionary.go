package variant

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// dictionary is a Metadata and what is worked out once for all rows that have it.
type dictionary struct {
	Metadata
	seen  bool // it was asked for a second time
	valid bool // it has passed check

	numbers  []numbered // of names that were looked for
	prepared []prepared // of all names; nil: see prepare
	places   []int      // by the numbers of a layout's shredded fields: see place; one more, 0 if not asked for yet
}

// prepared is a name as objects need it.
type prepared struct {
	text string // `,"name":`
	size uint32 // of the name
	rank uint32 // its place in the order of the names; that of the same name twice is one
}

// numbered is the number of a name.
type numbered struct {
	name  string
	id    uint32
	known knowledge
}

// knowledge is what a dictionary says of a name.
type knowledge uint8

const (
	absent   knowledge = iota // no field has the name
	once                      // only fields with this number have it
	searched                  // fields must be searched by their names
)

// dictionaries are the last ones that were met. Writers give the rows with the same
// fields the same dictionary, so there are few.
type dictionaries struct {
	last  *dictionary
	known map[string]*dictionary
	bytes int // of the metadata in known

	column *vector.Vector // the dictionary of a column of metadata that codes belong to
	codes  []*dictionary  // by code; nil: not met
}

// begin says that another vector follows, whose dictionaries may be in the same memory.
func (d *dictionaries) begin() { d.column = nil }

// in is the dictionary in a row of a column of metadata, which is not NULL. Columns of
// few dictionaries have codes in Parquet, too; so the bytes of most rows are not read.
func (d *dictionaries) in(c *vector.Vector, row int) (*dictionary, error) {
	if c.Form != vector.Dictionary || c.Dict.Len > maxDictionaries {
		return d.of(textAt(c, row))
	}
	if d.column != c.Dict {
		d.column, d.codes = c.Dict, vector.Resize(d.codes, c.Dict.Len)
		clear(d.codes)
	}
	at := &d.codes[c.Codes[row]]
	if *at != nil {
		(*at).seen = true
		return *at, nil
	}
	var err error
	*at, err = d.of(textAt(c, row))
	return *at, err
}

// Dictionaries are forgotten when there are more of them, or when they are larger.
const (
	maxDictionaries     = 256
	maxDictionariesSize = 1 << 18
)

// of is the dictionary that metadata encodes. Its names are not checked.
func (d *dictionaries) of(metadata string) (*dictionary, error) {
	if d.last != nil && d.last.bytes == metadata {
		d.last.seen = true
		return d.last, nil
	}
	if known, ok := d.known[metadata]; ok {
		known.seen, d.last = true, known
		return known, nil
	}
	m, err := ParseMetadata(metadata)
	if err != nil {
		return nil, err
	}
	if d.known == nil || len(d.known) >= maxDictionaries || d.bytes+len(metadata) > maxDictionariesSize {
		d.known, d.bytes = map[string]*dictionary{}, 0
	}
	d.last = &dictionary{Metadata: m}
	d.known[metadata], d.bytes = d.last, d.bytes+len(metadata)
	return d.last, nil
}

// checked is of, with checked names.
func (d *dictionaries) checked(metadata string) (*dictionary, error) {
	out, err := d.of(metadata)
	if err != nil {
		return nil, err
	}
	return out, out.validate()
}

// validate checks the names.
func (d *dictionary) validate() error {
	if d.valid {
		return nil
	}
	err := d.check()
	d.valid = err == nil
	return err
}

// number is what is known of a name. A dictionary that is met for the first time may be
// one of a row alone; then it costs more to read it than to search the fields.
func (d *dictionary) number(name string) numbered {
	for i := range d.numbers {
		if d.numbers[i].name == name {
			return d.numbers[i]
		}
	}
	if !d.seen {
		return numbered{known: searched}
	}
	n := numbered{name: name}
	for i := range d.count {
		at, err := d.name(i)
		if err != nil {
			n.known = searched
			break
		}
		if at != name {
			continue
		}
		if n.known != absent { // a dictionary that is not sorted may have a name twice
			n.known = searched
			break
		}
		n.known, n.id = once, i
	}
	d.numbers = append(d.numbers, n)
	return n
}

// prepare prepares the names, which are valid, if many rows may have them.
func (d *dictionary) prepare() {
	if d.prepared != nil || !d.seen || len(d.bytes) > maxDictionariesSize {
		return
	}
	names := make([]string, d.count)
	for i := range names {
		names[i], _ = d.name(uint32(i))
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(names)))
	d.prepared = make([]prepared, d.count)
	for i, name := range names {
		rank, _ := slices.BinarySearch(sorted, name)
		d.prepared[i] = prepared{string(vector.AppendQuoted([]byte{','}, name)) + ":", uint32(len(name)), uint32(rank)}
	}
}

// size is the number of bytes of a name that the dictionary has.
func (d *dictionary) size(id uint32) int {
	if d.prepared != nil {
		return int(d.prepared[id].size)
	}
	name, _ := d.name(id)
	return len(name)
}

// ascending checks that the names of an object's fields ascend.
type ascending struct {
	names *dictionary // valid
	least uint32      // the rank that the next name must have
	last  int64       // the number of the last name, -1 at the beginning
}

func newAscending(names *dictionary) ascending { return ascending{names: names, last: -1} }

// next checks the number of the next name, and that the dictionary has it.
func (a *ascending) next(id uint32) error {
	if p := a.names.prepared; uint64(id) < uint64(len(p)) && p[id].rank >= a.least {
		a.least, a.last = p[id].rank+1, int64(id)
		return nil
	}
	return a.compare(id)
}

// compare is next by the names, and finds the error.
func (a *ascending) compare(id uint32) error {
	name, err := a.names.name(id)
	if err == nil && a.last >= 0 {
		if before, _ := a.names.name(uint32(a.last)); name <= before {
			return errUnordered(before, name)
		}
	}
	a.last = int64(id)
	return err
}
