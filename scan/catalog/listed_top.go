package catalog

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/storage"
)

// Where each folder takes a request to be listed, a table whose folder has nothing but key=value
// folders is known by their names. Those that a condition leaves are listed, and no others.

// listedTop is a table by the names of its folders; nil where it is not such a table, or where
// everything is listed.
func (s *Snapshot) listedTop(ctx context.Context, name string) *Listed {
	s.listMu.Lock()
	unready := s.unready
	s.listMu.Unlock()
	if !unready || s.location.flat || s.isLocal() || len(s.catalog.config.Only) > 0 || s.catalog.config.AnyExtension || hasGlob(name) || strings.Contains(name, "/") {
		return nil
	}
	dir, top := s.topOf(ctx, name)
	if dir == "" || len(top.lakes) > 0 {
		return nil
	}
	keyed := slices.DeleteFunc(slices.Clone(top.folders), func(f string) bool { return !isKeyed(f) })
	if len(keyed) < 2 || dir != "." && (len(keyed) < len(top.folders) || slices.ContainsFunc(top.entries, isTableFile)) {
		return nil
	}
	of := &tableSource{name: name, what: dir, folder: dir}
	partitions := partitionColumns(s.hive(of), insideOf(keyed))
	if len(partitions) == 0 {
		return nil
	}
	return &Listed{snapshot: s, of: of, folders: keyed, partitions: partitions}
}

// topOf is the folder of a table and what is in it; "" if the name may be that of another table, too.
func (s *Snapshot) topOf(ctx context.Context, name string) (dir string, top *listing) {
	root, err := s.rootTop(ctx)
	if err != nil || len(root.lakes) > 0 || slices.ContainsFunc(root.entries, func(e storage.Entry) bool {
		return isTableFile(e) && stem(e.Name) == name
	}) {
		return "", nil
	}
	own := name == s.location.name && slices.ContainsFunc(root.folders, isKeyed)
	folder := slices.Contains(root.folders, name) && !isKeyed(name)
	switch {
	case own == folder:
		return "", nil
	case own:
		return ".", root
	}
	if top, err = listTop(ctx, s.location.store, name); err != nil {
		return "", nil // it comes again
	}
	return name, top
}

func isKeyed(folder string) bool {
	_, ok := splitPartition(path.Base(folder))
	return ok
}

func isTableFile(e storage.Entry) bool { return e.Err != nil || isParquet(e.Name) }

// insideOf are names of files in folders.
func insideOf(folders []string) []string {
	out := make([]string, len(folders))
	for i, f := range folders {
		out[i] = f + "/"
	}
	return out
}

// below lists some of the folders, several at a time.
func (l *Listed) below(ctx context.Context, keep []bool) (*Listed, error) {
	var wanted []string
	for i, f := range l.folders {
		if keep[i] {
			wanted = append(wanted, f)
		}
	}
	lists, failed := make([]*listing, len(wanted)), make([]error, len(wanted))
	var wg sync.WaitGroup
	slots := make(chan struct{}, maxFooterReaders)
	for i, f := range wanted {
		slots <- struct{}{} // List ends with ctx
		wg.Go(func() {
			defer func() { <-slots }()
			lists[i], failed[i] = listFiles(ctx, l.snapshot.location.store, f, -1, "")
		})
	}
	wg.Wait()
	of := *l.of
	for i, list := range lists {
		if failed[i] != nil {
			return nil, failed[i]
		}
		if len(list.lakes) > 0 || slices.ContainsFunc(list.entries, func(e storage.Entry) bool { return e.Err != nil }) {
			return nil, nil // all of it is looked at, and is an error
		}
		for _, e := range list.entries {
			if isParquet(e.Name) {
				of.entries = append(of.entries, e)
			}
		}
	}
	return l.files(&of), nil
}

// errUnlisted never reaches the user.
var errUnlisted = errors.New("not all folders are listed, whose names have values of the column")

// files is the files of a table of which only some folders were listed; nil if there are none, or
// they do not have the keys of the folders. The type of a key further down is not known.
func (l *Listed) files(of *tableSource) *Listed {
	paths := make([]string, len(of.entries))
	for i, e := range of.entries {
		paths[i] = e.Name
	}
	partitions := partitionColumns(l.snapshot.hive(of), paths)
	for k, p := range partitions {
		at := slices.IndexFunc(l.partitions, func(o partitionColumn) bool { return o.key == p.key })
		if at < 0 {
			partitions[k].unsure = errUnlisted
			continue
		}
		partitions[k] = typedPartition(p.key, p.texts, l.partitions[at].texts)
	}
	if len(partitions) < len(l.partitions) {
		return nil
	}
	return &Listed{snapshot: l.snapshot, of: of, partitions: partitions}
}
