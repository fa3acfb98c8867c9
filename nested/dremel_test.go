package nested

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/vector"
)

const dremelSchema = `
required int64 DocId;
optional group Links { repeated int64 Backward; repeated int64 Forward; }
repeated group Name {
  repeated group Language { required binary Code (STRING); optional binary Country (STRING); }
  optional binary Url (STRING);
}`

// dremelLeaves are the columns of the records r1 and r2 as figure 3 of "Dremel:
// Interactive Analysis of Web-Scale Datasets" prints them: value, r, d.
func dremelLeaves(s *fileformat.Schema) []*striped {
	columns := map[string]string{
		"DocId":                 "10 0 0, 20 0 0",
		"Links.Backward":        "NULL 0 1, 10 0 2, 30 1 2",
		"Links.Forward":         "20 0 2, 40 1 2, 60 1 2, 80 0 2",
		"Name.Language.Code":    "en-us 0 2, en 2 2, NULL 1 1, en-gb 1 2, NULL 0 1",
		"Name.Language.Country": "us 0 3, NULL 2 2, NULL 1 1, gb 1 3, NULL 0 1",
		"Name.Url":              "http://A 0 2, http://B 1 2, NULL 1 1, http://C 0 2",
	}
	var out []*striped
	for _, n := range s.Leaves {
		l := &striped{node: n}
		for _, entry := range strings.Split(columns[n.Dotted()], ", ") {
			var value string
			var rep, def uint8
			fmt.Sscan(entry, &value, &rep, &def)
			l.rep, l.def = append(l.rep, rep), append(l.def, def)
			var number int64
			if value == "NULL" {
			} else if _, err := fmt.Sscan(value, &number); err == nil {
				l.ints = append(l.ints, number)
			} else {
				l.texts = append(l.texts, value)
			}
		}
		out = append(out, l)
	}
	return out
}

func TestDremel(t *testing.T) {
	s := parseSchema(t, dremelSchema)
	tb := newTable(t, s, nil)
	tb.leaves = dremelLeaves(s)
	for _, c := range []struct {
		column string
		fields []vector.Path
		want   string
	}{
		{"DocId", nil, `10 20`},
		{"Links.Backward", nil, `[] [10,30]`},
		{"Links.Forward", nil, `[20,40,60] [80]`},
		{"Links", nil, `{"Backward":[],"Forward":[20,40,60]} {"Backward":[10,30],"Forward":[80]}`},
		{"Name", nil, `[{"Language":[{"Code":"en-us","Country":"us"},{"Code":"en","Country":null}],"Url":"http://A"},` +
			`{"Language":[],"Url":"http://B"},{"Language":[{"Code":"en-gb","Country":"gb"}],"Url":null}] ` +
			`[{"Language":[],"Url":"http://C"}]`},
		// Figure 5 assembles the records of DocId and Name.Language.Country only.
		{"Name", paths("* Language * Country"), `[{"Language":[{"Code":null,"Country":"us"},{"Code":null,"Country":null}],"Url":null},` +
			`{"Language":[],"Url":null},{"Language":[{"Code":null,"Country":"gb"}],"Url":null}] [{"Language":[],"Url":null}]`},
		{"Name", paths("* Url"), `[{"Language":null,"Url":"http://A"},{"Language":null,"Url":"http://B"},{"Language":null,"Url":null}] ` +
			`[{"Language":null,"Url":"http://C"}]`},
		{"Name", paths(), `[null,null,null] [null]`},
		{"Links", paths("Forward"), `{"Backward":null,"Forward":[20,40,60]} {"Backward":null,"Forward":[80]}`},
	} {
		for _, rows := range []int{1, 2, 2048} {
			if got := strings.Join(tb.json(c.column, c.fields, rows), " "); got != c.want {
				t.Errorf("%s %v, %d rows a batch:\n%s\nwant\n%s", c.column, c.fields, rows, got, c.want)
			}
		}
	}
}

// TestFieldsOpenOnlyTheirLeaves: leaves of other fields are not opened.
func TestFieldsOpenOnlyTheirLeaves(t *testing.T) {
	s := parseSchema(t, dremelSchema)
	tb := newTable(t, s, nil)
	for _, c := range []struct {
		fields []vector.Path
		want   []string
	}{
		{nil, []string{"Name.Language.Code", "Name.Language.Country", "Name.Url"}},
		{paths("* Url"), []string{"Name.Url"}},
		{paths("* Language"), []string{"Name.Language.Code", "Name.Language.Country"}},
		{paths("* Language * Code", "* nothing"), []string{"Name.Language.Code"}},
		{paths("*"), []string{"Name.Language.Code", "Name.Language.Country", "Name.Url"}},
		{paths(), []string{"Name.Url"}}, // the leaf with the fewest entries
	} {
		var opened []string
		_, err := newReader(tb.columns["Name"], c.fields, Options{}, func(leaf int, levels bool) (leafReader, error) {
			opened = append(opened, s.Leaves[leaf].Dotted())
			return &fakeLeaf{striped: tb.leaves[leaf]}, nil
		})
		if err != nil || !slices.Equal(opened, c.want) {
			t.Errorf("%v: opened %v, %v, want %v", c.fields, opened, err, c.want)
		}
	}
}
