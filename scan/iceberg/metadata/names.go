package metadata

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/internal/bounded"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
)

// nameJSON is a field of a name mapping (Name Mapping Serialization).
type nameJSON struct {
	ID     *int32     `json:"field-id"`
	Names  []string   `json:"names"`
	Fields []nameJSON `json:"fields"`
}

// namesOf are the names of fields in files without field ids, by id; nil where no text says them.
// Some writers number the fields of a name mapping otherwise than those of the schema: where it has a
// field elsewhere than the schema, the names are those of the schema.
func namesOf(text string, fields []schema.Field, b *quota.Budget) (map[int32][]string, error) {
	if text == "" {
		return nil, nil
	}
	free, err := bounded.JSON([]byte(text), b)
	if err != nil {
		return nil, fmt.Errorf("the property schema.name-mapping.default: %w", err)
	}
	defer free()
	var in []nameJSON
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return nil, fmt.Errorf("the property schema.name-mapping.default: %w", err)
	}
	places := map[int32]int32{}
	addPlaces(places, fields, 0)
	out := map[int32][]string{}
	if !addNames(out, in, places, 0) {
		clear(out)
		ownNames(out, fields)
	}
	return out, nil
}

// addPlaces notes within which field each field is.
func addPlaces(to map[int32]int32, list []schema.Field, within int32) {
	for _, f := range list {
		to[f.ID] = within
		addPlaces(to, f.Fields, f.ID)
	}
}

// addNames is false where the mapping has a field elsewhere than the schema.
func addNames(to map[int32][]string, list []nameJSON, places map[int32]int32, within int32) bool {
	for _, n := range list {
		id := int32(-1) // a field that the table does not have
		if n.ID != nil {
			id = *n.ID
			if at, ok := places[id]; ok && at != within {
				return false
			}
			to[id] = append(slices.Clip(to[id]), n.Names...)
		}
		if !addNames(to, n.Fields, places, id) {
			return false
		}
	}
	return true
}

func ownNames(to map[int32][]string, list []schema.Field) {
	for _, f := range list {
		to[f.ID] = []string{f.Name}
		ownNames(to, f.Fields)
	}
}
