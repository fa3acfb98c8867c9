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

// SystemColumn is a column that tables of PostgreSQL's catalog have and * leaves out: the number of
// the table.
const SystemColumn = "tableoid"

// WithSystemColumn is the query of a view of PostgreSQL's catalog with that column, the last one.
func WithSystemColumn(parts []string, text string) string {
	name := strings.ToLower(parts[len(parts)-1])
	if !strings.HasPrefix(name, "pg_") {
		return text
	}
	number := objects["REGCLASS"].known[name]
	if number == "" {
		number = "0"
	}
	return "SELECT v.*, " + number + " AS " + SystemColumn + " FROM (" + text + ") v"
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
	// The schemas of a location have the numbers from 2200 on, and very many those behind all others.
	"pg_namespace": `SELECT CASE schema_name WHEN 'information_schema' THEN 13000 WHEN 'pg_catalog' THEN 11 ELSE CAST(place + IF(place > 10000, 1000000000, 2199) AS INTEGER) END AS oid,
		schema_name AS nspname, 10 AS nspowner, NULL::VARCHAR[] AS nspacl FROM (SELECT schema_name, ROW_NUMBER() OVER (PARTITION BY schema_name = 'information_schema' ORDER BY schema_name) AS place
			FROM information_schema.schemata UNION ALL SELECT 'pg_catalog', 0)`,

	"pg_class": `SELECT 16383 + ROW_NUMBER() OVER (ORDER BY table_name, table_schema) AS oid, table_name AS relname, n.oid AS relnamespace, 0 AS reltype, 0 AS reloftype,
		10 AS relowner, 2 AS relam, 0 AS relfilenode, 0 AS reltablespace, 0 AS relpages, -1::FLOAT AS reltuples, 0 AS relallvisible, 0 AS reltoastrelid,
		FALSE AS relhasindex, FALSE AS relisshared, 'p' AS relpersistence, 'r' AS relkind, 0 AS relnatts, 0 AS relchecks, FALSE AS relhasrules,
		FALSE AS relhastriggers, FALSE AS relhassubclass, FALSE AS relrowsecurity, FALSE AS relforcerowsecurity, TRUE AS relispopulated, 'd' AS relreplident,
		FALSE AS relispartition, 0 AS relrewrite, 0 AS relfrozenxid, 0 AS relminmxid, NULL::VARCHAR[] AS relacl, NULL::VARCHAR[] AS reloptions, NULL::VARCHAR AS relpartbound
		FROM information_schema.tables JOIN pg_catalog.pg_namespace n ON n.nspname = table_schema`,

	"pg_attribute": `SELECT c.oid AS attrelid, k.column_name AS attname, COALESCE(t.oid, 25) AS atttypid, -1 AS attstattarget, COALESCE(t.typlen, -1) AS attlen,
		k.ordinal_position AS attnum, 0 AS attndims, CASE WHEN k.data_type = 'UBIGINT' THEN 1310724 WHEN k.udt_name = 'numeric' AND k.numeric_precision <= 1000 THEN k.numeric_precision * 65536 + k.numeric_scale + 4 ELSE -1 END AS atttypmod,
		k.is_nullable = 'NO' AS attnotnull, FALSE AS atthasdef, FALSE AS atthasmissing, '' AS attidentity, '' AS attgenerated, FALSE AS attisdropped,
		TRUE AS attislocal, 0 AS attinhcount, 0 AS attcollation, NULL::VARCHAR[] AS attacl, NULL::VARCHAR[] AS attoptions, -1 AS attcacheoff, COALESCE(t.typbyval, FALSE) AS attbyval,
		CASE WHEN COALESCE(t.typlen, -1) = -1 THEN 'x' ELSE 'p' END AS attstorage, '' AS attcompression, 'i' AS attalign, NULL::VARCHAR[] AS attfdwoptions, NULL::VARCHAR AS attmissingval
		FROM information_schema.columns k JOIN pg_catalog.pg_namespace n ON n.nspname = k.table_schema JOIN pg_catalog.pg_class c ON c.relname = k.table_name AND c.relnamespace = n.oid LEFT JOIN pg_catalog.pg_type t ON t.typname = k.udt_name`,

	"pg_type": `SELECT oid, typname, 11 AS typnamespace, 10 AS typowner, typlen, typlen BETWEEN 1 AND 8 AS typbyval, 'b' AS typtype, typcategory,
		typname IN ('bool', 'float8', 'oid', 'text', 'timestamptz', 'interval') AS typispreferred, TRUE AS typisdefined, ',' AS typdelim, 0 AS typrelid, '-' AS typsubscript, typelem, typarray,
		CASE WHEN typelem <> 0 THEN 'array_in' ELSE typname || 'in' END AS typinput, CASE WHEN typelem <> 0 THEN 'array_out' ELSE typname || 'out' END AS typoutput,
		CASE WHEN typelem <> 0 THEN 'array_recv' ELSE typname || 'recv' END AS typreceive, CASE WHEN typelem <> 0 THEN 'array_send' ELSE typname || 'send' END AS typsend,
		'-' AS typmodin, '-' AS typmodout, '-' AS typanalyze, 'i' AS typalign, CASE WHEN typlen = -1 THEN 'x' ELSE 'p' END AS typstorage, FALSE AS typnotnull, 0 AS typbasetype,
		-1 AS typtypmod, 0 AS typndims, 0 AS typcollation, NULL::VARCHAR AS typdefaultbin, NULL::VARCHAR AS typdefault, NULL::VARCHAR[] AS typacl
		FROM (SELECT oid, typname, typlen, typcategory, 0 AS typelem, typarray FROM (VALUES ` + types + `) t(oid, typname, typlen, typcategory, typarray)
			UNION ALL SELECT typarray, '_' || typname, -1, 'A', oid, 0 FROM (VALUES ` + types + `) t(oid, typname, typlen, typcategory, typarray))`,

	"pg_database": `SELECT 1 AS oid, CURRENT_DATABASE() AS datname, 10 AS datdba, 6 AS encoding, 'C' AS datcollate, 'C' AS datctype, FALSE AS datistemplate,
		TRUE AS datallowconn, -1 AS datconnlimit, 1663 AS dattablespace, NULL::VARCHAR[] AS datacl, 'c' AS datlocprovider, NULL::VARCHAR AS daticulocale,
		NULL::VARCHAR AS datcollversion, 0 AS datfrozenxid, 0 AS datminmxid`,

	"pg_tables": `SELECT table_schema AS schemaname, table_name AS tablename, CURRENT_USER AS tableowner, NULL::VARCHAR AS tablespace, FALSE AS hasindexes,
		FALSE AS hasrules, FALSE AS hastriggers, FALSE AS rowsecurity FROM information_schema.tables`,

	"pg_roles": `SELECT 10 AS oid, CURRENT_USER AS rolname, FALSE AS rolsuper, TRUE AS rolinherit, FALSE AS rolcreaterole, FALSE AS rolcreatedb, TRUE AS rolcanlogin,
		FALSE AS rolreplication, -1 AS rolconnlimit, '********' AS rolpassword, NULL::TIMESTAMPTZ AS rolvaliduntil, FALSE AS rolbypassrls, NULL::VARCHAR[] AS rolconfig`,

	"pg_user": `SELECT CURRENT_USER AS usename, 10 AS usesysid, FALSE AS usecreatedb, FALSE AS usesuper, FALSE AS userepl, FALSE AS usebypassrls, '********' AS passwd,
		NULL::TIMESTAMPTZ AS valuntil, NULL::VARCHAR[] AS useconfig`,

	"pg_am": `SELECT 2 AS oid, 'heap' AS amname, 'heap_tableam_handler' AS amhandler, 't' AS amtype`,

	"pg_tablespace": `SELECT 1663 AS oid, 'pg_default' AS spcname, 10 AS spcowner, NULL::VARCHAR[] AS spcacl, NULL::VARCHAR[] AS spcoptions`,

	"pg_language": `SELECT * FROM (VALUES (12, 'internal', 10, FALSE, FALSE, 0, 0, 0, NULL::VARCHAR[]), (14, 'sql', 10, FALSE, TRUE, 0, 0, 0, NULL))
		t(oid, lanname, lanowner, lanispl, lanpltrusted, lanplcallfoid, laninline, lanvalidator, lanacl)`,

	"pg_collation": `SELECT oid, collname, 11 AS collnamespace, 10 AS collowner, collprovider, TRUE AS collisdeterministic, -1 AS collencoding, collcollate, collcollate AS collctype,
		NULL::VARCHAR AS colliculocale, NULL::VARCHAR AS collversion
		FROM (VALUES (100, 'default', 'd', NULL), (950, 'C', 'c', 'C'), (951, 'POSIX', 'c', 'POSIX')) t(oid, collname, collprovider, collcollate)`,

	"pg_settings": `SELECT name, setting, NULL::VARCHAR AS unit, 'Preset Options' AS category, '' AS short_desc, NULL::VARCHAR AS extra_desc, 'internal' AS context, 'string' AS vartype,
		'default' AS source, NULL::VARCHAR AS min_val, NULL::VARCHAR AS max_val, NULL::VARCHAR[] AS enumvals, setting AS boot_val, setting AS reset_val, NULL::VARCHAR AS sourcefile,
		NULL::BIGINT AS sourceline, FALSE AS pending_restart
		FROM (VALUES ('application_name', current_setting('application_name')), ('client_encoding', current_setting('client_encoding')), ('DateStyle', current_setting('DateStyle')),
			('default_transaction_isolation', current_setting('default_transaction_isolation')), ('default_transaction_read_only', current_setting('default_transaction_read_only')),
			('integer_datetimes', current_setting('integer_datetimes')), ('IntervalStyle', current_setting('IntervalStyle')), ('max_index_keys', '32'),
			('search_path', current_setting('search_path')), ('server_encoding', current_setting('server_encoding')), ('server_version', current_setting('server_version')),
			('server_version_num', current_setting('server_version_num')), ('standard_conforming_strings', current_setting('standard_conforming_strings')),
			('TimeZone', current_setting('TimeZone')), ('transaction_isolation', current_setting('transaction_isolation')), ('transaction_read_only', current_setting('transaction_read_only')))
		t(name, setting)`,

	"sqlite_master": sqlite,
	"sqlite_schema": sqlite,
}

// types are PostgreSQL's numbers of types, their names, sizes and categories, and the numbers of their
// arrays.
const types = `(16, 'bool', 1, 'B', 1000), (17, 'bytea', -1, 'U', 1001), (18, 'char', 1, 'Z', 1002), (19, 'name', 64, 'S', 1003), (20, 'int8', 8, 'N', 1016), (21, 'int2', 2, 'N', 1005),
			(23, 'int4', 4, 'N', 1007), (24, 'regproc', 4, 'N', 1008), (25, 'text', -1, 'S', 1009), (26, 'oid', 4, 'N', 1028), (114, 'json', -1, 'U', 199), (700, 'float4', 4, 'N',
			1021), (701, 'float8', 8, 'N', 1022), (1042, 'bpchar', -1, 'S', 1014), (1043, 'varchar', -1, 'S', 1015), (1082, 'date', 4, 'D', 1182), (1083, 'time', 8, 'D', 1183),
			(1114, 'timestamp', 8, 'D', 1115), (1184, 'timestamptz', 8, 'D', 1185), (1186, 'interval', 16, 'T', 1187), (1700, 'numeric', -1, 'N', 1231), (2205, 'regclass', 4, 'N',
			2210), (2206, 'regtype', 4, 'N', 2211), (2950, 'uuid', 16, 'U', 2951), (3802, 'jsonb', -1, 'U', 3807)`

const sqlite = `SELECT 'table' AS "type", table_name AS name, table_name AS tbl_name, 0 AS rootpage, NULL::VARCHAR AS "sql" FROM information_schema.tables`
