package storage

import (
	"path"
	"strings"
)

// Place says where files are whose absolute paths begin with From.
type Place struct {
	From   string // an absolute path or a URL of a folder, without a slash at its end
	Store  Store
	Folder string // in the store
}

// Find is the place of a file by its absolute path: of several the one with the longest From. rest
// is the path below Folder, with a slash in front.
func Find(places []Place, file string) (p Place, rest string, ok bool) {
	url, longest := SameScheme(file), -1
	for _, o := range places {
		from := SameScheme(o.From)
		if below, found := strings.CutPrefix(url, from); found && strings.HasPrefix(below, "/") && len(from) > longest {
			p, rest, longest = o, below, len(from)
		}
	}
	return p, rest, longest >= 0
}

// IsBelow reports whether what Find has as rest does not lead out of the place's folder.
func IsBelow(rest string) bool {
	clean := path.Clean(strings.TrimLeft(rest, "/"))
	return clean != ".." && !strings.HasPrefix(clean, "../")
}

// IsAbsolute reports whether a path has a scheme or begins at the root.
func IsAbsolute(file string) bool {
	scheme, _, ok := strings.Cut(file, "://")
	return strings.HasPrefix(file, "/") || ok && scheme != "" && !strings.Contains(scheme, "/")
}

// SameScheme writes the schemes that programs have for the same bucket in one way.
func SameScheme(url string) string {
	for _, s := range []string{"s3a://", "s3n://"} {
		if rest, ok := strings.CutPrefix(url, s); ok {
			return "s3://" + rest
		}
	}
	if rest, ok := strings.CutPrefix(url, "abfs://"); ok {
		return "abfss://" + rest
	}
	return url
}
