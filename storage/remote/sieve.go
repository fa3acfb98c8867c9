package remote

import (
	"strings"

	"github.com/parquetsql/parquetsql/storage"
)

// sieve makes entries of the objects below a prefix: what Walk leaves out is left out. Objects come
// in the order of their names.
type sieve struct {
	prefix  string // with its slash; "" for the whole store
	walk    storage.Walk
	skipped map[string]bool // folders that are entries already
	closed  string          // with its slash: the folder that the last entry has closed; "/" for the prefix itself
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
		if !below || rel == "" || strings.HasSuffix(rel, "/") || rel < x.walk.From || x.isClosed(rel) { // one with a slash stands for a folder
			continue
		}
		folder, left := x.left(rel)
		switch {
		case left && folder != "" && !x.skipped[folder]:
			x.skipped[folder] = true
			out = append(out, storage.Entry{Name: x.prefix + folder, Folder: true})
			if base := folder[strings.LastIndexByte(folder, '/')+1:]; base == x.walk.Closed {
				x.closed = strings.TrimSuffix(folder, base)
				if x.closed == "" {
					x.closed = "/"
				}
			}
		case !left:
			out = append(out, storage.Entry{Name: o.Name, Size: o.Size, Time: o.Time, Version: o.Version})
		}
	}
	return out
}

func (x *sieve) isClosed(rel string) bool {
	return x.closed == "/" || x.closed != "" && strings.HasPrefix(rel, x.closed)
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

// after is where the listing goes on behind an object: mostly with the next, for which it is "". The
// rest of a folder that is left out is passed. It is false where all that follows is left out.
func (x *sieve) after(last string) (from string, more bool) {
	rel, below := strings.CutPrefix(last, x.prefix)
	if !below {
		return "", true
	}
	if x.closed == "/" {
		return "", false
	}
	folder, _ := x.left(rel)
	if folder != "" {
		folder += "/"
	}
	if x.isClosed(rel) {
		folder = x.closed
	}
	if folder == "" {
		return "", true
	}
	return x.prefix + strings.TrimSuffix(folder, "/") + string('/'+1), true
}
