package remote

import (
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// sieve makes entries of the objects below a prefix: what Walk leaves out is left out.
type sieve struct {
	prefix  string // with its slash; "" for the whole store
	walk    storage.Walk
	skipped map[string]bool // folders that are entries already
}

func newSieve(dir string, w storage.Walk) *sieve {
	prefix := ""
	if dir != "" && dir != "." {
		prefix = strings.TrimSuffix(dir, "/") + "/"
	}
	return &sieve{prefix: prefix, walk: w, skipped: map[string]bool{}}
}

func (x *sieve) entries(objects []Object) (out []storage.Entry) {
	for _, o := range objects {
		rel, below := strings.CutPrefix(o.Name, x.prefix)
		if !below || rel == "" || strings.HasSuffix(rel, "/") { // an object that stands for a folder
			continue
		}
		folder, left := x.left(rel)
		switch {
		case left && folder != "" && !x.skipped[folder]:
			x.skipped[folder] = true
			out = append(out, storage.Entry{Name: x.prefix + folder, Folder: true})
		case !left:
			out = append(out, storage.Entry{Name: o.Name, Size: o.Size, Time: o.Time, Version: o.Version})
		}
	}
	return out
}

// left reports whether a name is left out, and the folder for which it is.
func (x *sieve) left(rel string) (folder string, left bool) {
	parts := strings.Split(rel, "/")
	for i, part := range parts {
		if part == "" || x.walk.Skip == nil || !x.walk.Skip(part) {
			continue
		}
		if i == len(parts)-1 {
			return "", true
		}
		return strings.Join(parts[:i+1], "/"), true
	}
	return "", x.walk.Depth >= 0 && len(parts)-1 > x.walk.Depth
}
