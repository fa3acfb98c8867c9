package server

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/server/internal/wire"
)

const (
	// versionNumber is the PostgreSQL whose protocol and catalog this is.
	versionNumber = "15.0"
	serverVersion = "PostgreSQL " + versionNumber + " (parquetsql)"
)

// setting is a parameter of PostgreSQL that a connection may have.
type setting struct {
	name, value string
	reported    bool // clients are told when it changes
	fixed       bool // SET may only ask for what is so
	check       func(n *settings, value string) (string, error)
}

// known are the parameters that there are; the others of PostgreSQL have no meaning here.
func known() []setting {
	out := []setting{
		{name: "application_name", reported: true},
		{name: "client_encoding", value: "UTF8", reported: true, check: encoding},
		{name: "DateStyle", value: "ISO, MDY", reported: true, check: dateStyle},
		{name: "default_transaction_read_only", value: "on", reported: true},
		{name: "in_hot_standby", value: "off", reported: true, fixed: true},
		{name: "integer_datetimes", value: "on", reported: true, fixed: true},
		{name: "IntervalStyle", value: "postgres", reported: true, check: intervalStyle},
		{name: "is_superuser", value: "off", reported: true, fixed: true},
		{name: "server_encoding", value: "UTF8", reported: true, fixed: true},
		{name: "server_version", value: versionNumber + " (parquetsql)", reported: true, fixed: true},
		{name: "server_version_num", value: "150000", fixed: true},
		{name: "session_authorization", reported: true, check: sameUser},
		{name: "standard_conforming_strings", value: "on", reported: true, check: mustBeOn},
		{name: "TimeZone", value: "UTC", reported: true, check: timeZone},
		{name: "bytea_output", value: "hex", fixed: true},
		{name: "extra_float_digits", value: "1"},
		{name: "role", value: "none", check: sameUser},
		{name: "search_path", value: "main"},
		{name: "statement_timeout", value: "0", check: timeout},
		{name: "transaction_isolation", value: "repeatable read"},
		{name: "transaction_read_only", value: "on"},
		{name: "max_identifier_length", value: "63", fixed: true},
		{name: "max_index_keys", value: "32", fixed: true},
		{name: "block_size", value: "8192", fixed: true},
		{name: "lc_collate", value: "C", fixed: true},
		{name: "lc_ctype", value: "C", fixed: true},
	}
	// No answer depends on these, whatever they are.
	for name, value := range map[string]string{
		"backslash_quote": "safe_encoding", "check_function_bodies": "on", "client_min_messages": "notice", "constraint_exclusion": "partition",
		"cursor_tuple_fraction": "0.1", "default_tablespace": "", "default_table_access_method": "heap", "default_toast_compression": "pglz",
		"default_transaction_deferrable": "off", "default_transaction_isolation": "repeatable read", "escape_string_warning": "on", "force_parallel_mode": "off",
		"geqo": "on", "idle_in_transaction_session_timeout": "0", "idle_session_timeout": "0", "jit": "off", "lc_messages": "C", "lc_monetary": "C",
		"lc_numeric": "C", "lc_time": "C", "lock_timeout": "0", "maintenance_work_mem": "65536", "max_parallel_workers_per_gather": "2",
		"quote_all_identifiers": "off", "random_page_cost": "4", "row_security": "on", "session_replication_role": "origin", "synchronize_seqscans": "on",
		"synchronous_commit": "on", "tcp_keepalives_idle": "0", "tcp_keepalives_interval": "0", "tcp_keepalives_count": "0", "temp_buffers": "1024",
		"transaction_deferrable": "off", "vacuum_freeze_min_age": "0", "work_mem": "4096", "xmlbinary": "base64", "xmloption": "content", "ssl": "off",
		"enable_seqscan": "on", "enable_indexscan": "on", "enable_hashjoin": "on", "enable_mergejoin": "on", "enable_nestloop": "on", "enable_bitmapscan": "on",
	} {
		out = append(out, setting{name: name, value: value})
	}
	return out
}

// settings are the parameters of a connection.
type settings struct {
	all      map[string]*setting // by names in lower case
	custom   map[string]string   // names with a point, which are the client's own
	defaults map[string]string
	told     map[string]string // what the client knows of the parameters that are reported
	changed  bool              // since then, perhaps
	user     string

	style   wire.Style
	timeout time.Duration
	locals  map[string]*string // what SET LOCAL has replaced, until the transaction ends; nil: nothing
	before  *values            // at the beginning of the transaction; nil: nothing has changed since
}

// values are those of all parameters at a moment, and what SET LOCAL had replaced.
type values struct {
	all, custom map[string]string
	locals      map[string]*string
}

// maxCustom is how many settings of its own a client may have, and maxSetting their length.
const (
	maxCustom  = 100
	maxSetting = 10_000
)

// newSettings are the parameters of a connection that begins.
func newSettings(n *session, startup map[string]string) (*settings, error) {
	s := &settings{all: map[string]*setting{}, custom: map[string]string{}, defaults: map[string]string{}, told: map[string]string{}, locals: map[string]*string{}, user: n.user}
	s.style.Zone = time.UTC
	for _, k := range known() {
		s.all[strings.ToLower(k.name)] = &k
	}
	s.all["session_authorization"].value = n.user
	for name, value := range startup {
		switch {
		case name == "user" || name == "database" || name == "replication" || strings.HasPrefix(name, "_pq_."):
		case name == "options":
			if err := s.options(value); err != nil {
				return nil, err
			}
		default:
			if err := s.set(name, value); err != nil {
				return nil, err
			}
		}
	}
	for name, k := range s.all {
		s.defaults[name] = k.value
		if k.reported {
			s.told[name] = k.value
		}
	}
	s.before = nil
	return s, nil
}

// report tells the parameters that have changed since the client was told. It is told at the end of
// what it has asked for, and so nothing of what has been taken back.
func (s *settings) report(tell func(name, value string)) {
	if !s.changed {
		return
	}
	s.changed = false
	for _, k := range s.reported() {
		if key := strings.ToLower(k.name); s.told[key] != k.value {
			s.told[key] = k.value
			tell(k.name, k.value)
		}
	}
}

// options are those of the command line of PostgreSQL: -c name=value and --name=value.
func (s *settings) options(text string) error {
	words := strings.Fields(strings.ReplaceAll(text, `\ `, "\x00"))
	for i := 0; i < len(words); i++ {
		w := strings.ReplaceAll(words[i], "\x00", " ")
		if w == "-c" && i+1 < len(words) {
			i++
			w = "-c" + strings.ReplaceAll(words[i], "\x00", " ")
		}
		assignment, ok := strings.CutPrefix(w, "-c")
		if !ok {
			assignment, ok = strings.CutPrefix(w, "--")
		}
		name, value, found := strings.Cut(assignment, "=")
		if !ok || !found {
			return &Error{Code: "42601", Message: fmt.Sprintf("the option %.50q is not known", w)}
		}
		if err := s.set(strings.ReplaceAll(name, "-", "_"), value); err != nil {
			return err
		}
	}
	return nil
}

// set changes a parameter.
func (s *settings) set(name, value string) error {
	s.begin()
	err := s.put(name, value)
	if err == nil {
		delete(s.locals, strings.ToLower(name)) // it stays
	}
	return err
}

func (s *settings) put(name, value string) error {
	key := strings.ToLower(name)
	if len(name)+len(value) > maxSetting {
		return &Error{Code: "22023", Message: "a setting is too long"}
	}
	k := s.all[key]
	if k == nil {
		if !strings.Contains(key, ".") {
			return &Error{Code: "42704", Message: fmt.Sprintf("unrecognized configuration parameter %q", name)}
		}
		if _, has := s.custom[key]; !has && len(s.custom) >= maxCustom {
			return &Error{Code: "53400", Message: fmt.Sprintf("a connection has no more than %d settings of its own", maxCustom)}
		}
		s.custom[key] = value
		return nil
	}
	if k.check != nil {
		var err error
		if value, err = k.check(s, value); err != nil {
			return err
		}
	}
	if k.fixed && !strings.EqualFold(value, k.value) {
		return &Error{Code: "55P02", Message: fmt.Sprintf("parameter %q cannot be changed: it is %s", k.name, k.value)}
	}
	if k.value != value {
		k.value, s.changed = value, true
	}
	return nil
}

// setLocal changes a parameter until the transaction ends.
func (s *settings) setLocal(name, value string) error {
	key := strings.ToLower(name)
	s.begin()
	old, had := s.value(name)
	if err := s.put(name, value); err != nil {
		return err
	}
	if _, replaced := s.locals[key]; !replaced {
		s.locals[key] = nil
		if had {
			s.locals[key] = &old
		}
	}
	return nil
}

// first is the value of a parameter when the connection began. The client's own were empty.
func (s *settings) first(name string) string { return s.defaults[strings.ToLower(name)] }

// resetAll gives all parameters their first values.
func (s *settings) resetAll() {
	s.begin()
	s.restore(values{all: s.defaults})
}

// restore gives parameters values that they had before, which are valid.
func (s *settings) restore(v values) {
	for _, key := range slices.Sorted(maps.Keys(v.all)) {
		_ = s.put(key, v.all[key])
	}
	clear(s.custom)
	maps.Copy(s.custom, v.custom)
	clear(s.locals)
	maps.Copy(s.locals, v.locals)
}

// now are the values of now.
func (s *settings) now() values {
	v := values{make(map[string]string, len(s.all)), maps.Clone(s.custom), maps.Clone(s.locals)}
	for key, k := range s.all {
		v.all[key] = k.value
	}
	return v
}

// begin notes the values before the first change within a transaction.
func (s *settings) begin() {
	if s.before == nil {
		v := s.now()
		s.before = &v
	}
}

// end takes back what SET LOCAL has changed, and where the transaction is rolled back, all that SET
// has.
func (s *settings) end(rollback bool) {
	switch {
	case s.before == nil:
		return
	case rollback:
		s.restore(*s.before)
	default:
		for key, old := range s.locals {
			if old == nil {
				delete(s.custom, key)
			} else {
				_ = s.put(key, *old)
			}
		}
	}
	s.locals, s.before = map[string]*string{}, nil
}

// value is that of a parameter.
func (s *settings) value(name string) (string, bool) {
	key := strings.ToLower(name)
	if k := s.all[key]; k != nil {
		return k.value, true
	}
	value, ok := s.custom[key]
	return value, ok
}

// snapshot has the values of now, for a query that may look at them while others are set.
func (s *settings) snapshot() func(name string) (string, bool) {
	values := make(map[string]string, len(s.all)+len(s.custom))
	for key, k := range s.all {
		values[key] = k.value
	}
	maps.Copy(values, s.custom)
	return func(name string) (string, bool) {
		value, ok := values[strings.ToLower(name)]
		return value, ok
	}
}

// reported are the parameters that clients are told.
func (s *settings) reported() []*setting {
	var out []*setting
	for _, key := range slices.Sorted(maps.Keys(s.all)) {
		if s.all[key].reported {
			out = append(out, s.all[key])
		}
	}
	return out
}

// list is all parameters by name.
func (s *settings) list() [][]string {
	var out [][]string
	for _, key := range slices.Sorted(maps.Keys(s.all)) {
		out = append(out, []string{s.all[key].name, s.all[key].value, ""})
	}
	return out
}

func badValue(name, value, why string) error {
	return &Error{Code: "22023", Message: fmt.Sprintf("invalid value for parameter %q: %.100q", name, value), Hint: why}
}

func encoding(_ *settings, value string) (string, error) {
	switch strings.ToUpper(strings.NewReplacer("-", "", "_", "", "'", "").Replace(value)) {
	case "UTF8", "UNICODE", "SQLASCII":
		return "UTF8", nil
	}
	return "", badValue("client_encoding", value, "Texts are UTF8.")
}

func dateStyle(_ *settings, value string) (string, error) {
	style, order := "ISO", "MDY"
	for word := range strings.FieldsFuncSeq(strings.ToUpper(value), func(r rune) bool { return r == ',' || r == ' ' }) {
		switch word {
		case "ISO":
		case "MDY", "DMY", "YMD":
			order = word
		case "US", "NONEURO", "NONEUROPEAN":
			order = "MDY"
		case "EURO", "EUROPEAN":
			order = "DMY"
		default:
			style = ""
		}
	}
	if style == "" {
		return "", badValue("DateStyle", value, "Dates are written in the style ISO.")
	}
	return style + ", " + order, nil
}

func intervalStyle(s *settings, value string) (string, error) {
	value = strings.ToLower(value)
	if value != "postgres" && value != "iso_8601" {
		return "", badValue("IntervalStyle", value, "There are postgres and iso_8601.")
	}
	s.style.ISOInterval = value == "iso_8601"
	return value, nil
}

func sameUser(s *settings, value string) (string, error) {
	if value == s.user || strings.EqualFold(value, "none") || value == "" {
		return value, nil
	}
	return "", &Error{Code: "42501", Message: fmt.Sprintf("permission denied to become %q", value)}
}

func mustBeOn(_ *settings, value string) (string, error) {
	switch strings.ToLower(value) {
	case "on", "true", "1", "yes":
		return "on", nil
	}
	return "", badValue("standard_conforming_strings", value, "A backslash in a string is an ordinary character; E'…' has escapes.")
}

// timeZone is the zone in which a timestamptz is written. What SQL computes is in UTC.
func timeZone(s *settings, value string) (string, error) {
	name := strings.Trim(value, "'")
	switch strings.ToLower(name) {
	case "local", "gmt", "utc", "z", "+00:00", "0", "etc/utc":
		s.style.Zone = time.UTC
		if strings.EqualFold(name, "local") {
			name = "UTC"
		}
		return name, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return "", badValue("TimeZone", value, "Time zones have the names of the IANA database.")
	}
	s.style.Zone = zone
	return name, nil
}

// units are those of a time. ms ends with s, and so it comes before.
var units = []struct {
	name string
	unit time.Duration
}{{"ms", time.Millisecond}, {"s", time.Second}, {"min", time.Minute}, {"h", time.Hour}, {"d", 24 * time.Hour}}

// timeout is a number of milliseconds, or of another unit. It has no more milliseconds than an
// integer of PostgreSQL has.
func timeout(s *settings, value string) (string, error) {
	text, unit := strings.TrimSpace(strings.ToLower(value)), time.Millisecond
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			text, unit = strings.TrimSpace(rest), u.unit
			break
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	n = math.RoundToEven(n * float64(unit/time.Millisecond))
	if err != nil || !(n >= 0 && n <= math.MaxInt32) { // nor is it NaN
		return "", badValue("statement_timeout", value, "It is a number of milliseconds, or one of ms, s, min, h and d, up to 2147483647 ms.")
	}
	s.timeout = time.Duration(n) * time.Millisecond
	return shownTimeout(s.timeout), nil
}

// shownTimeout is a time in the largest unit of which it is a multiple.
func shownTimeout(d time.Duration) string {
	for _, u := range slices.Backward(units) {
		if d > 0 && d%u.unit == 0 {
			return strconv.FormatInt(int64(d/u.unit), 10) + u.name
		}
	}
	return "0"
}
