package variant

import "github.com/parquetsql/parquetsql/vector"

// dictionary is a Metadata and what is worked out once for all rows that have it.
type dictionary struct {
	Metadata
	seen  bool // it was asked for a second time
	valid bool // it has passed check

	numbers []numbered // of names that were looked for
	sorted  bool       // known with quoted: the names ascend as their numbers do
	quoted  []byte     // `,"name":` of all names, one after the other; nil: see quote
	ends    []int      // where each ends in quoted
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

// quote makes the JSON text of the names, which are valid, if many rows may have them.
func (d *dictionary) quote() {
	if d.quoted != nil || !d.seen || len(d.bytes) > maxDictionariesSize {
		return
	}
	d.sorted, d.quoted = true, []byte{}
	before := ""
	for i := range d.count {
		name, _ := d.name(i)
		d.sorted = d.sorted && (i == 0 || before < name)
		d.quoted = append(vector.AppendQuoted(append(d.quoted, ','), name), ':')
		d.ends = append(d.ends, len(d.quoted))
		before = name
	}
}

// appendName appends `,"name":` of a name that the dictionary has.
func (d *dictionary) appendName(dst []byte, id uint32) []byte {
	if d.quoted == nil {
		name, _ := d.name(id)
		return append(vector.AppendQuoted(append(dst, ','), name), ':')
	}
	from := 0
	if id > 0 {
		from = d.ends[id-1]
	}
	return append(dst, d.quoted[from:d.ends[id]]...)
}

// ascends reports whether the names of two numbers are in this order, and differ.
func (d *dictionary) ascends(a, b uint32) bool {
	if d.quoted != nil && d.sorted {
		return a < b
	}
	x, _ := d.name(a)
	y, _ := d.name(b)
	return x < y
}
