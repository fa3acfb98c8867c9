package geoparquet

import (
	"encoding/json"
	"regexp"
	"strings"
)

// DefaultCRS is the coordinate reference system of a column that states none: longitude
// and latitude in degrees on WGS 84.
const DefaultCRS = "OGC:CRS84"

// crsOf is the name of a column's "crs": PROJJSON, or WKT2 text before GeoParquet 1.0.
func crsOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return Name(text)
	}
	return Name(string(raw))
}

// Name is the short name of a coordinate reference system: "authority:code" where the
// definition (PROJJSON or WKT2) has an identifier, or else the definition's own name. Text
// that is no definition is its own name.
func Name(definition string) string {
	definition = strings.TrimSpace(definition)
	if strings.HasPrefix(definition, "{") {
		return projName(definition)
	}
	if id := wktID.FindStringSubmatch(definition); id != nil {
		return id[1] + ":" + id[2]
	}
	return definition
}

// wktID is the identifier at the end of WKT2, which is that of the whole.
var wktID = regexp.MustCompile(`\bID\["([^"]+)",\s*"?([^"\],]+)"?\]\s*\]$`)

func projName(text string) string {
	var crs struct {
		Name string `json:"name"`
		ID   struct {
			Authority string          `json:"authority"`
			Code      json.RawMessage `json:"code"` // a number or text
		} `json:"id"`
	}
	if json.Unmarshal([]byte(text), &crs) != nil {
		return text
	}
	code := strings.Trim(string(crs.ID.Code), `"`)
	switch {
	case crs.ID.Authority != "" && code != "" && code != "null":
		return crs.ID.Authority + ":" + code
	case crs.Name != "":
		return crs.Name
	}
	return text
}
