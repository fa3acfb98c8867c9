package desugar

import (
	"strings"
)

// View is the query of a view. parts is the name as it is written, with or without the
// schema; ok is false if no view has it.
func View(parts []string) (text string, ok bool) {
	if len(parts) > 2 && strings.EqualFold(parts[0], "parquet") {
		parts = parts[1:]
	}
	name := strings.ToLower(strings.Join(parts, "."))
	if short, found := strings.CutPrefix(name, "pg_catalog."); found {
		name = short
	}
	if text, ok = queries[name]; ok {
		return text, true
	}
	if columns, found := empty[name]; found {
		return nothing(columns), true
	}
	return "", false
}

// nothing is a query without rows. Its columns are names with a type, VARCHAR where there
// is none.
func nothing(columns string) string {
	var items []string
	for column := range strings.FieldsSeq(columns) {
		name, kind, _ := strings.Cut(column, ":")
		if kind == "" {
			kind = "VARCHAR"
		}
		items = append(items, "NULL::"+kind+` AS "`+name+`"`)
	}
	return "SELECT " + strings.Join(items, ", ") + " WHERE FALSE"
}

// queries are the views that have rows, in lower case and without pg_catalog. The number
// of a table is that of its place among all names.
var queries = map[string]string{
	"pg_namespace": `SELECT * FROM (VALUES (11, 'pg_catalog', 10, NULL::VARCHAR), (2200, 'main', 10, NULL), (13000, 'information_schema', 10, NULL)) t(oid, nspname, nspowner, nspacl)`,

	"pg_class": `SELECT 16383 + ROW_NUMBER() OVER (ORDER BY table_name) AS oid, table_name AS relname, 2200 AS relnamespace, 0 AS reltype, 0 AS reloftype,
		10 AS relowner, 2 AS relam, 0 AS relfilenode, 0 AS reltablespace, 0 AS relpages, -1::FLOAT AS reltuples, 0 AS relallvisible, 0 AS reltoastrelid,
		FALSE AS relhasindex, FALSE AS relisshared, 'p' AS relpersistence, 'r' AS relkind, 0 AS relnatts, 0 AS relchecks, FALSE AS relhasrules,
		FALSE AS relhastriggers, FALSE AS relhassubclass, FALSE AS relrowsecurity, FALSE AS relforcerowsecurity, TRUE AS relispopulated, 'n' AS relreplident,
		FALSE AS relispartition, NULL::VARCHAR AS relacl, NULL::VARCHAR AS reloptions, NULL::VARCHAR AS relpartbound
		FROM information_schema.tables`,

	"pg_attribute": `SELECT c.oid AS attrelid, k.column_name AS attname, COALESCE(t.oid, 25) AS atttypid, -1 AS attstattarget, COALESCE(t.typlen, -1) AS attlen,
		k.ordinal_position AS attnum, 0 AS attndims, CASE WHEN k.udt_name = 'numeric' THEN k.numeric_precision * 65536 + k.numeric_scale + 4 ELSE -1 END AS atttypmod,
		k.is_nullable = 'NO' AS attnotnull, FALSE AS atthasdef, FALSE AS atthasmissing, '' AS attidentity, '' AS attgenerated, FALSE AS attisdropped,
		TRUE AS attislocal, 0 AS attinhcount, 0 AS attcollation, NULL::VARCHAR AS attacl, NULL::VARCHAR AS attoptions
		FROM information_schema.columns k JOIN pg_catalog.pg_class c ON c.relname = k.table_name LEFT JOIN pg_catalog.pg_type t ON t.typname = k.udt_name`,

	"pg_type": `SELECT oid, typname, 11 AS typnamespace, 10 AS typowner, typlen, typlen BETWEEN 1 AND 8 AS typbyval, 'b' AS typtype, typcategory, FALSE AS typispreferred,
		TRUE AS typisdefined, ',' AS typdelim, 0 AS typrelid, 0 AS typelem, 0 AS typarray, FALSE AS typnotnull, 0 AS typbasetype, -1 AS typtypmod, 0 AS typndims,
		0 AS typcollation, NULL::VARCHAR AS typdefault
		FROM (VALUES (16, 'bool', 1, 'B'), (17, 'bytea', -1, 'U'), (20, 'int8', 8, 'N'), (21, 'int2', 2, 'N'), (23, 'int4', 4, 'N'), (25, 'text', -1, 'S'),
			(114, 'json', -1, 'U'), (700, 'float4', 4, 'N'), (701, 'float8', 8, 'N'), (1043, 'varchar', -1, 'S'), (1082, 'date', 4, 'D'), (1083, 'time', 8, 'D'),
			(1114, 'timestamp', 8, 'D'), (1184, 'timestamptz', 8, 'D'), (1186, 'interval', 16, 'T'), (1700, 'numeric', -1, 'N'), (2950, 'uuid', 16, 'U')) t(oid, typname, typlen, typcategory)`,

	"pg_database": `SELECT 1 AS oid, CURRENT_DATABASE() AS datname, 10 AS datdba, 6 AS encoding, 'C' AS datcollate, 'C' AS datctype, FALSE AS datistemplate,
		TRUE AS datallowconn, -1 AS datconnlimit, 1663 AS dattablespace, NULL::VARCHAR AS datacl`,

	"pg_tables": `SELECT table_schema AS schemaname, table_name AS tablename, CURRENT_USER AS tableowner, NULL::VARCHAR AS tablespace, FALSE AS hasindexes,
		FALSE AS hasrules, FALSE AS hastriggers, FALSE AS rowsecurity FROM information_schema.tables`,

	"pg_roles": `SELECT 10 AS oid, CURRENT_USER AS rolname, FALSE AS rolsuper, TRUE AS rolinherit, FALSE AS rolcreaterole, FALSE AS rolcreatedb, TRUE AS rolcanlogin,
		FALSE AS rolreplication, -1 AS rolconnlimit, NULL::TIMESTAMP AS rolvaliduntil`,

	"pg_user": `SELECT CURRENT_USER AS usename, 10 AS usesysid, FALSE AS usecreatedb, FALSE AS usesuper`,

	"pg_am": `SELECT 2 AS oid, 'heap' AS amname, 't' AS amtype`,

	"sqlite_master": sqlite,
	"sqlite_schema": sqlite,
}

const sqlite = `SELECT 'table' AS "type", table_name AS name, table_name AS tbl_name, 0 AS rootpage, NULL::VARCHAR AS "sql" FROM information_schema.tables`
