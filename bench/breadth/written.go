package breadth

import "github.com/parquetsql/parquetsql/bench/differential"

func of(text string, args ...string) differential.Call {
	return differential.Call{Text: text, Args: args}
}

// written are the calls of functions whose signatures do not tell which arguments they take.
var written = map[string][]differential.Call{
	"TO_CHAR": {of("TO_CHAR($, 'FM999,990.00')", "BIGINT"), of("TO_CHAR($, '000.99')", "DOUBLE"), of("TO_CHAR($, '9999.99')", "DECIMAL"), of("TO_CHAR($, 'YYYY-MM-DD')", "DATE"),
		of("TO_CHAR($, 'Dy DD Mon HH24:MI:SS')", "TIMESTAMP"), of("TO_CHAR($, 'HH12:MI AM')", "TIMESTAMPTZ"), of("TO_CHAR($, 'HH24:MI')", "INTERVAL")},
	"PARSE_FORMATTED_BYTES": {of("PARSE_FORMATTED_BYTES($ || 'KiB')", "BIGINT")},
	"REPEAT":                {of("REPEAT($, 3)", "VARCHAR"), of("REPEAT($, 3)", "BLOB"), of("REPEAT($, 3)", "LIST(BIGINT)")},
	"UNBIN":                 {of("UNBIN(BIN($))", "BIGINT")},
	"WIDTH_BUCKET":          {of("WIDTH_BUCKET($, 0, 900, 7)", "BIGINT"), of("WIDTH_BUCKET($, 0, 900, 7)", "DOUBLE"), of("WIDTH_BUCKET($, 0, 900, 7)", "DECIMAL")},
	"EXTRACT":               {of("EXTRACT(month FROM $)", "DATE"), of("EXTRACT(minute FROM $)", "TIMESTAMP"), of("EXTRACT(hour FROM $)", "TIMESTAMPTZ"), of("EXTRACT(second FROM $)", "TIME"), of("EXTRACT(hour FROM $)", "INTERVAL")},
	"DATE":                  {of("DATE($)", "text of a TIMESTAMP"), of("DATE($)", "DATE"), of("DATE($)", "TIMESTAMP"), of("DATE($)", "TIMESTAMPTZ")},
	"TIMESTAMP":             {of("TIMESTAMP($)", "text of a TIMESTAMP"), of("TIMESTAMP($)", "DATE"), of("TIMESTAMP($)", "TIMESTAMP"), of("TIMESTAMP($)", "TIMESTAMPTZ")},
	"TIME":                  {of("TIME(SUBSTRING($, 12))", "text of a TIMESTAMP"), of("TIME($)", "TIME"), of("TIME($)", "TIMESTAMP"), of("TIME($)", "TIMESTAMPTZ")},
	"TIME_BUCKET":           {of("TIME_BUCKET(INTERVAL 7 DAY, $)", "DATE"), of("TIME_BUCKET(INTERVAL 1 MONTH, $)", "TIMESTAMP"), of("TIME_BUCKET(INTERVAL 1 HOUR, $)", "TIMESTAMPTZ")},
	"TIMEZONE":              {of("TIMEZONE('Europe/Berlin', $)", "DATE"), of("TIMEZONE('Europe/Berlin', $)", "TIMESTAMP"), of("TIMEZONE('Europe/Berlin', $)", "TIMESTAMPTZ")},
	// A version 7 has its time in the first digits.
	"UUID_EXTRACT_TIMESTAMP": {of("UUID_EXTRACT_TIMESTAMP((LPAD(($ + 4096)::VARCHAR, 12, '0') || '7' || LPAD('', 19, '8'))::UUID)", "BIGINT")},
	"LIST_AGGREGATE":         {of("LIST_AGGREGATE($, 'string_agg', ',')", "LIST(VARCHAR)")},
	"EQUI_WIDTH_BINS":        {of("EQUI_WIDTH_BINS(0, 10 + $, 5, TRUE)", "BIGINT"), of("EQUI_WIDTH_BINS(0e0, 10 + $, 5, TRUE)", "DOUBLE"), of("EQUI_WIDTH_BINS(TIMESTAMP '2020-01-01', $, 5, TRUE)", "TIMESTAMP")},
	"STRUCT_PACK":            {of("STRUCT_PACK(a := $, b := $)", "BIGINT", "VARCHAR")},
	"STRUCT_INSERT":          {of("STRUCT_INSERT($, c := $)", "STRUCT", "BIGINT")},
	"STRUCT_UPDATE":          {of("STRUCT_UPDATE($, p := $)", "STRUCT", "BIGINT")},
	"STRUCT_POSITION":        {of("STRUCT_POSITION(ROW($, 7), $)", "BIGINT", "BIGINT")},
	"STRUCT_CONTAINS":        {of("STRUCT_CONTAINS(ROW($, 7), $)", "BIGINT", "BIGINT")},
	"MAP":                    {of("MAP(['a', 'b'], [$, $])", "BIGINT", "BIGINT"), of("MAP {'a': $, 'b': $}", "VARCHAR", "VARCHAR")},
	"MAP_FROM_ENTRIES":       {of("MAP_FROM_ENTRIES(MAP_ENTRIES($))", "MAP")},
	"->":                     {of("($ -> '$.v')", "JSON"), of("($ -> ['$.v', '$.ev'])", "JSON"), of("($ -> 'p')", "STRUCT"), of("($ -> 'z')", "MAP"), of("($ -> 'a')", "VARIANT")},
	"->>":                    {of("($ ->> '$.ev')", "JSON"), of("($ ->> ['$.v', '$.ev'])", "JSON"), of("($ ->> 'p')", "STRUCT"), of("($ ->> 'z')", "MAP")},
	"VARIANT_GET":            {of("VARIANT_GET($, '$.a')", "VARIANT"), of("VARIANT_GET($, '$.a', 'BIGINT')", "VARIANT")},
	"TRY_VARIANT_GET":        {of("TRY_VARIANT_GET($, '$.a')", "VARIANT"), of("TRY_VARIANT_GET($, '$.b', 'BIGINT')", "VARIANT")},
	"ELEMENT_AT":             {of("ELEMENT_AT($, 2)", "VARCHAR"), of("ELEMENT_AT($, 2)", "LIST(BIGINT)"), of("ELEMENT_AT($, 'z')", "MAP"), of("ELEMENT_AT($, 'p')", "STRUCT"), of("ELEMENT_AT($, 'a')", "VARIANT")},
	"ST_CONTAINS":            {of("ST_CONTAINS(ST_MAKEENVELOPE(0, 0, 500, 500), $)", "GEOMETRY")},
	"ST_WITHIN":              {of("ST_WITHIN($, ST_MAKEENVELOPE(0, 0, 500, 500))", "GEOMETRY")},
	"ST_COVERS":              {of("ST_COVERS(ST_MAKEENVELOPE(0, 0, 500, 500), $)", "GEOMETRY")},
	"ST_COVEREDBY":           {of("ST_COVEREDBY($, ST_MAKEENVELOPE(0, 0, 500, 500))", "GEOMETRY")},
	"ST_MAKEPOLYGON":         {of("ST_MAKEPOLYGON(ST_GEOMFROMTEXT('LINESTRING (0 0, 1 0, 1 ' || $ || ', 0 0)'))", "BIGINT")},
	"ST_GEOMFROMTEXT":        {of("ST_GEOMFROMTEXT('POINT (' || $ || ' 1)')", "BIGINT")},
	"ST_GEOMFROMWKB":         {of("ST_GEOMFROMWKB(ST_ASBINARY($))", "GEOMETRY")},
	"ST_GEOMFROMHEXWKB":      {of("ST_GEOMFROMHEXWKB(HEX(ST_ASBINARY($)))", "GEOMETRY")},
	"ST_GEOMFROMGEOJSON":     {of("ST_GEOMFROMGEOJSON(ST_ASGEOJSON($))", "GEOMETRY")},
	"ST_TRANSFORM":           {of("ST_TRANSFORM(ST_POINT($ / 20, $ / 1e5), 'EPSG:4326', 'EPSG:3857')", "BIGINT", "DOUBLE")},
	"SWITCH":                 {of("SWITCH($, MAP {1: 'a', 2: 'b'}, 'c')", "BIGINT")},
	"CAST_TO_TYPE":           {of("CAST_TO_TYPE($, NULL::INTEGER)", "DOUBLE"), of("CAST_TO_TYPE($, NULL::VARCHAR)", "BIGINT")},
	"REPLACE_TYPE":           {of("REPLACE_TYPE($, NULL::BIGINT, NULL::VARCHAR)", "BIGINT")},
	"REGEXP_EXTRACT":         {of("REGEXP_EXTRACT($, '(\\w+)://(\\w+)', ['a', 'b'])", "VARCHAR")},
	"REGEXP_EXTRACT_ALL":     {of("REGEXP_EXTRACT_ALL($, '[0-9]+')", "VARCHAR")},
}

// unasked are functions without a query, and why.
var unasked = map[string]string{
	"ERROR":           "it fails",
	"CURRENT_SETTING": "its argument is the name of a setting",
}

// Unasked is why a function has no query, empty if it has one.
func Unasked(name string) string { return unasked[name] }
