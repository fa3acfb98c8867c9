package fileformat

import (
	"strconv"
	"strings"
)

// Writer is a file's parsed created_by. By convention it is
// "<application> version <version> (build <hash>)". In other texts, the fields that
// cannot be found are zero.
type Writer struct {
	Application         string // in lower case: "parquet-mr", "parquet-cpp-arrow", "impala"
	Major, Minor, Patch int
	HasVersion          bool
	Suffix              string // what follows the numbers: "rc2", "-SNAPSHOT", "-cdh5.5.0"
	Build               string
}

// parseWriter never fails: a text of another form is an application's name.
func parseWriter(createdBy string) Writer {
	application, rest, found := strings.Cut(createdBy, " version ")
	w := Writer{Application: strings.ToLower(strings.TrimSpace(application))}
	if !found {
		return w
	}
	version, build, _ := strings.Cut(rest, "(build ")
	w.Build = strings.TrimSuffix(strings.TrimSpace(build), ")")
	version = strings.TrimPrefix(strings.TrimSpace(version), "v")
	for i, part := range []*int{&w.Major, &w.Minor, &w.Patch} {
		digits := len(version) - len(strings.TrimLeft(version, "0123456789"))
		n, err := strconv.ParseInt(version[:digits], 10, 32)
		if err != nil {
			break
		}
		*part, w.HasVersion = int(n), true
		version = version[digits:]
		if i == 2 || !strings.HasPrefix(version, ".") || len(version) < 2 || version[1] < '0' || version[1] > '9' {
			break
		}
		version = version[1:]
	}
	w.Suffix = version
	return w
}

// Before reports whether the version is known and older than the given one. A
// release candidate counts as its release.
func (w Writer) Before(major, minor, patch int) bool {
	if !w.HasVersion {
		return false
	}
	if w.Major != major {
		return w.Major < major
	}
	if w.Minor != minor {
		return w.Minor < minor
	}
	return w.Patch < patch
}

// ContinuesPrefixes reports whether the first value of a DELTA_BYTE_ARRAY page may
// begin with a prefix of the last value of the page before, as parquet-mr before
// 1.8.0 wrote it (PARQUET-246). Like parquet-java's CorruptDeltaByteArrays, it also
// says so of files whose writer or version is unknown.
func (m *FileMetaData) ContinuesPrefixes() bool {
	switch w := m.Writer; {
	case !strings.Contains(m.CreatedBy, " version "):
		return true
	case w.Application != "parquet-mr":
		return false
	default:
		return !w.HasVersion || w.Before(1, 8, 0)
	}
}
