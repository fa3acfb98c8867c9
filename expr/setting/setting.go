// Package setting has the names that tools and libraries ask for when they connect: the
// variables of MySQL (@@version_comment, SHOW VARIABLES) and the parameters of PostgreSQL
// (SHOW search_path, current_setting). They say how this driver works, as far as the names
// have a meaning here. Nobody can change them: SET is accepted where it asks for what is so.
package setting

import (
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Setting is a name and its value.
type Setting struct{ Name, Value string }

// list is the settings, and what SET may say besides their value. A value of "*" accepts
// everything: whatever it is, answers do not depend on it.
var list = []struct {
	Setting
	accepts string // divided by blanks
}{
	{Setting{"access_mode", "read_only"}, "automatic"},
	{Setting{"application_name", ""}, "*"},
	{Setting{"auto_increment_increment", "1"}, ""},
	{Setting{"autocommit", "1"}, "on true"},
	{Setting{"bytea_output", "hex"}, ""},
	{Setting{"character_set_client", "utf8mb4"}, "utf8 utf8mb3"},
	{Setting{"character_set_connection", "utf8mb4"}, "utf8 utf8mb3"},
	{Setting{"character_set_results", "utf8mb4"}, "utf8 utf8mb3 null"},
	{Setting{"character_set_server", "utf8mb4"}, "utf8 utf8mb3"},
	{Setting{"client_encoding", "UTF8"}, "utf-8 unicode"},
	{Setting{"client_min_messages", "notice"}, "*"},
	{Setting{"collation_connection", "utf8mb4_bin"}, ""},
	{Setting{"collation_server", "utf8mb4_bin"}, ""},
	{Setting{"DateStyle", "ISO, MDY"}, "iso iso,mdy iso,dmy iso,ymd"},
	{Setting{"default_collation", ""}, "binary"},
	{Setting{"default_null_order", "NULLS_LAST"}, "nulls_last nullslast last"},
	{Setting{"default_order", "ASCENDING"}, "asc"},
	{Setting{"default_transaction_isolation", "serializable"}, "*"},
	{Setting{"default_transaction_read_only", "on"}, "true 1"},
	{Setting{"enable_progress_bar", "false"}, "*"},
	{Setting{"extra_float_digits", "3"}, "0 1 2"},
	{Setting{"foreign_key_checks", "0"}, "*"},
	{Setting{"ieee_floating_point_ops", "true"}, "on 1"},
	{Setting{"init_connect", ""}, ""},
	{Setting{"integer_datetimes", "on"}, ""},
	{Setting{"integer_division", "false"}, "off 0"},
	{Setting{"interactive_timeout", "28800"}, "*"},
	{Setting{"IntervalStyle", "iso_8601"}, ""},
	{Setting{"license", "Apache-2.0"}, ""},
	{Setting{"lock_timeout", "0"}, "*"},
	{Setting{"lower_case_table_names", "2"}, ""},
	{Setting{"max_allowed_packet", "67108864"}, ""},
	{Setting{"names", "utf8mb4"}, "utf8 utf8mb3 utf-8"},
	{Setting{"net_read_timeout", "30"}, "*"},
	{Setting{"net_write_timeout", "60"}, "*"},
	{Setting{"null_order", "NULLS_LAST"}, "nulls_last nullslast last"},
	{Setting{"performance_schema", "0"}, ""},
	{Setting{"preserve_insertion_order", "true"}, "on 1"},
	{Setting{"read_only", "1"}, "on true"},
	{Setting{"row_security", "off"}, "on"},
	{Setting{"schema", "main"}, ""},
	{Setting{"search_path", "main"}, "public main,public"},
	{Setting{"server_encoding", "UTF8"}, ""},
	{Setting{"server_version", "16.0"}, ""},
	{Setting{"server_version_num", "160000"}, ""},
	{Setting{"sql_auto_is_null", "0"}, "off"},
	{Setting{"sql_mode", "ANSI_QUOTES,PIPES_AS_CONCAT"}, "*"},
	{Setting{"sql_notes", "0"}, "*"},
	{Setting{"sql_safe_updates", "0"}, "*"},
	{Setting{"standard_conforming_strings", "on"}, "true 1"},
	{Setting{"synchronous_commit", "on"}, "*"},
	{Setting{"system_time_zone", "UTC"}, ""},
	{Setting{"time_zone", "UTC"}, "+00:00 gmt etc/utc system"},
	{Setting{"TimeZone", "UTC"}, "+00:00 gmt etc/utc 0 local default"},
	{Setting{"transaction_isolation", "SERIALIZABLE"}, "*"},
	{Setting{"transaction_read_only", "1"}, "on true"},
	{Setting{"tx_isolation", "SERIALIZABLE"}, "*"},
	{Setting{"tx_read_only", "1"}, "on true"},
	{Setting{"unique_checks", "0"}, "*"},
	{Setting{"version", "8.0.0-parquetsql"}, ""},
	{Setting{"version_comment", "parquetsql"}, ""},
	{Setting{"version_compile_os", ""}, ""},
	{Setting{"wait_timeout", "28800"}, "*"},
}

// options are the options of a DSN under the names that DuckDB and others give them in SET.
var options = map[string]string{
	"memory_limit": "memory_limit", "max_memory": "memory_limit", "work_mem": "memory_limit", "threads": "parallelism", "worker_threads": "parallelism",
	"temp_directory": "temp_dir", "max_parallel_workers": "parallelism",
}

// All are the settings, ordered by name.
func All() []Setting {
	out := make([]Setting, len(list))
	for i, s := range list {
		out[i] = s.Setting
	}
	return out
}

// Value is the value of a setting; ok is false if there is none of the name, whose case
// does not matter.
func Value(name string) (value string, ok bool) {
	for _, s := range list {
		if strings.EqualFold(s.Name, name) {
			return s.Value, true
		}
	}
	return "", false
}

// Set accepts a value that changes nothing. It returns an error that wraps ErrUnsupported
// for all others, and for a name that is not known.
func Set(name, value string) error {
	for _, s := range list {
		if !strings.EqualFold(s.Name, name) {
			continue
		}
		v := strings.ToLower(strings.ReplaceAll(value, " ", ""))
		if s.accepts == "*" || v == "default" || v == strings.ToLower(strings.ReplaceAll(s.Value, " ", "")) || slices.Contains(strings.Fields(s.accepts), v) {
			return nil
		}
		return errs.Unsupported("SET %s = %s: it is always %s", s.Name, value, s.Value)
	}
	if option := options[strings.ToLower(name)]; option != "" {
		return errs.Unsupported("SET %s: a connection has no settings; give the option %s in the DSN", name, option)
	}
	return errs.Unsupported("SET %s: there is no such setting", name)
}
