package catalog

import (
	"path"
	"strings"
)

// hasGlob reports whether a path has a wildcard.
func hasGlob(p string) bool { return strings.ContainsAny(p, "*?[") }

// glob is a pattern over slash-separated paths: "*", "?" and "[…]" within a
// part, and the part "**" for zero or more folders.
type glob struct{ parts []string }

func newGlob(pattern string) (glob, error) {
	// path.Match negates a class with "^" only.
	parts := strings.Split(strings.ReplaceAll(pattern, "[!", "[^"), "/")
	for _, p := range parts {
		if _, err := path.Match(p, ""); err != nil {
			return glob{}, err
		}
	}
	return glob{parts: parts}, nil
}

// prefix returns the folder that contains all matches: "." or the leading parts
// without a wildcard. The last part is a file's name and never part of the prefix.
func (g glob) prefix() string {
	for i, p := range g.parts {
		if hasGlob(p) || i == len(g.parts)-1 {
			return path.Join(append([]string{"."}, g.parts[:i]...)...)
		}
	}
	return "."
}

// literal is how all matches begin: the pattern up to its first wildcard.
func (g glob) literal() string {
	whole := strings.Join(g.parts, "/")
	if at := strings.IndexAny(whole, "*?["); at >= 0 {
		return whole[:at]
	}
	return whole
}

// depth returns how many folders below the location a match can be, -1 if there is no
// bound.
func (g glob) depth() int {
	for _, p := range g.parts {
		if p == "**" {
			return -1
		}
	}
	return len(g.parts) - 1
}

// depthBelow is depth counted from one of the folders that all matches are in.
func (g glob) depthBelow(folder string) int {
	depth := g.depth()
	if depth >= 0 && folder != "." {
		depth -= strings.Count(folder, "/") + 1
	}
	return depth
}

func (g glob) match(name string) bool { return matchParts(g.parts, strings.Split(name, "/")) }

// matchesBelow reports whether a file at any depth below the folder may match.
func (g glob) matchesBelow(folder string) bool {
	parts := strings.Split(folder, "/")
	for i, part := range parts {
		if i == len(g.parts) {
			return false
		}
		if g.parts[i] == "**" {
			return true
		}
		if ok, _ := path.Match(g.parts[i], part); !ok {
			return false
		}
	}
	return len(parts) < len(g.parts)
}

// matchParts is the usual wildcard match. It backtracks only to the last "**" reached,
// because the earlier ones need not be tried again. So the time is at most the product
// of the lengths.
func matchParts(pattern, parts []string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(parts) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, n
			p++
			continue
		case p < len(pattern):
			if ok, _ := path.Match(pattern[p], parts[n]); ok {
				p++
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star+1, from
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

// globName returns the table name of a user's glob: the last part without a wildcard
// (without its extension if it is a file's name), or "data" if every part has one.
func globName(pattern string) string {
	parts := strings.Split(pattern, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if p := parts[i]; p != "" && p != "." && p != ".." && !strings.HasSuffix(p, ":") && !hasGlob(p) {
			if i == len(parts)-1 {
				return stem(p)
			}
			return p
		}
	}
	return "data"
}

// isParquet reports whether a file has a Parquet extension.
func isParquet(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// stem returns a file's name without folders and extension.
func stem(name string) string {
	base := path.Base(name)
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}

// isHidden reports whether listings omit a file or folder: what writers keep for themselves. A
// folder of a partition whose key begins with "_" (_year=2024) is none of these, as in Spark.
func isHidden(name string) bool {
	return name[0] == '.' || name[0] == '_' && !strings.Contains(name, "=")
}
