package partition

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// Spec says how a tuple of partition values is made of a row.
type Spec struct {
	ID     int
	Fields []Field
}

// Field is a value of the tuple.
type Field struct {
	Source    int32 // the id of the column that it is made of; 0: of several
	ID        int32
	Name      string
	Transform Transform
}

// firstID is the id of the first partition field where they have none, as in tables of version 1.
const firstID = 1000

// UnmarshalJSON reads a spec (Appendix C, Partition Specs), or the list of its fields alone.
func (s *Spec) UnmarshalJSON(text []byte) error {
	var in struct {
		ID     int         `json:"spec-id"`
		Fields []fieldJSON `json:"fields"`
	}
	var err error
	if strings.HasPrefix(strings.TrimSpace(string(text)), "[") {
		err = json.Unmarshal(text, &in.Fields)
	} else {
		err = json.Unmarshal(text, &in)
	}
	if err != nil {
		return err
	}
	s.ID = in.ID
	for i, f := range in.Fields {
		own := Field{Name: f.Name, Transform: Parse(f.Transform), ID: int32(firstID + i)}
		if f.ID != nil {
			own.ID = *f.ID
		}
		switch {
		case f.Source != nil:
			own.Source = *f.Source
		case len(f.Sources) == 1:
			own.Source = f.Sources[0]
		default: // of several, which no transform here is
			own.Transform = Transform{}
		}
		s.Fields = append(s.Fields, own)
	}
	return nil
}

type fieldJSON struct {
	Source    *int32  `json:"source-id"`
	Sources   []int32 `json:"source-ids"`
	ID        *int32  `json:"field-id"`
	Name      string  `json:"name"`
	Transform string  `json:"transform"`
}

// Kind is the name of a transform.
type Kind uint8

// The transforms (Partition Transforms). One that is not known says nothing.
const (
	Unknown Kind = iota
	Identity
	Bucket
	Truncate
	Year
	Month
	Day
	Hour
	Void
)

// Transform makes a partition value of a value.
type Transform struct {
	Kind Kind
	N    int64 // of Bucket how many, of Truncate the width
}

var names = map[string]Kind{"identity": Identity, "year": Year, "month": Month, "day": Day, "hour": Hour, "void": Void}

// Parse reads the name of a transform.
func Parse(name string) Transform {
	if k, ok := names[name]; ok {
		return Transform{Kind: k}
	}
	head, rest, _ := strings.Cut(name, "[")
	digits, closed := strings.CutSuffix(rest, "]")
	n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 32)
	switch {
	case err != nil || !closed || n <= 0:
	case head == "bucket":
		return Transform{Bucket, n}
	case head == "truncate":
		return Transform{Truncate, n}
	}
	return Transform{}
}

// String is the name of the transform.
func (t Transform) String() string {
	switch t.Kind {
	case Bucket:
		return fmt.Sprintf("bucket[%d]", t.N)
	case Truncate:
		return fmt.Sprintf("truncate[%d]", t.N)
	}
	for name, k := range names {
		if k == t.Kind {
			return name
		}
	}
	return "unknown"
}

// Result is the type of the partition values of a column's values.
func (t Transform) Result(source vector.Type) vector.Type {
	switch t.Kind {
	case Bucket, Year, Month, Hour:
		return vector.Of(vector.Integer)
	case Day:
		return vector.Of(vector.Date)
	}
	return source
}
