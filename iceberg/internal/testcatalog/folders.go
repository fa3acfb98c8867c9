package testcatalog

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Found is a table in a folder, as the disk has it.
type Found struct {
	Folder   string // of the table
	Location string // where its writer had it
	Metadata json.RawMessage
	File     string // the metadata file, where its writer had it
}

// Folders are the tables below a folder whose current metadata file is not compressed and is the only
// one of its number, and has no relative paths.
func Folders(root string) (out []Found, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() != "metadata" {
			return err
		}
		found, err := newest(p)
		if found != nil {
			out = append(out, *found)
		}
		return err
	})
	return out, err
}

// newest is the table of the metadata file with the greatest number; nil where two have it, or none.
func newest(dir string) (*Found, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.metadata.json"))
	if err != nil {
		return nil, err
	}
	best := map[int][]string{}
	top := -1
	for _, f := range files {
		digits, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(filepath.Base(f), ".metadata.json"), "v"), "-")
		if n, err := strconv.Atoi(digits); err == nil {
			best[n] = append(best[n], f)
			top = max(top, n)
		}
	}
	if top < 0 || len(best[top]) != 1 {
		return nil, nil
	}
	text, err := os.ReadFile(best[top][0])
	if err != nil {
		return nil, err
	}
	var m struct {
		Location  string `json:"location"`
		Snapshots []struct {
			List string `json:"manifest-list"`
		} `json:"snapshots"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, err
	}
	for _, s := range m.Snapshots {
		if !strings.HasPrefix(s.List, "/") && !strings.Contains(s.List, ":") {
			return nil, nil
		}
	}
	where := strings.TrimRight(m.Location, "/")
	return &Found{Folder: filepath.Dir(dir), Location: where, Metadata: text, File: where + "/metadata/" + path.Base(filepath.ToSlash(best[top][0]))}, nil
}

// AddFolders adds tables to a namespace, by the names of their folders, and is what location_map has
// to say of them.
func (s *Server) AddFolders(list []Found, namespace ...string) (locationMap string, err error) {
	var moved []string
	for _, f := range list {
		abs, err := filepath.Abs(f.Folder)
		if err != nil {
			return "", err
		}
		s.Add(&Table{Namespace: namespace, Name: filepath.Base(f.Folder), File: f.File, Metadata: f.Metadata})
		if !slices.Contains(moved, f.Location+"="+abs) {
			moved = append(moved, f.Location+"="+abs)
		}
	}
	return strings.Join(moved, ","), nil
}
