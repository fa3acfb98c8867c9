package catalog

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/storage"
)

// access is how the files of a table of a catalog are read: with what the catalog grants for them,
// and as the store is read elsewhere where it grants nothing.
type access struct {
	catalog *Catalog
	of      storage.TableName
	name    string
	keeper  *keeper

	mu    sync.Mutex
	grant func(file string) (string, storage.Grant)
}

// mostMetadata is how many bytes the answer of a catalog may have, and what part of the memory of a
// query.
const (
	mostMetadata  = 256 << 20
	metadataShare = 4
)

// load asks the catalog for the table. known is the tag of what is known of it.
func (a *access) load(ctx context.Context, known string) (*storage.Loaded, error) {
	most := int64(mostMetadata)
	if m := a.catalog.config.FooterMemory; m > 0 {
		most = min(most, m/metadataShare)
	}
	l, err := a.catalog.tables().Load(ctx, a.of, known, most)
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.grant = l.Grant
	a.mu.Unlock()
	return l, nil
}

// place is where a file of the table is. A catalog is not asked where it may send: to stores that
// take its grants, and to no file of this machine.
func (a *access) place(file string) (storage.Place, error) {
	url := storage.SameScheme(file)
	at, ok := storage.ParseAddress(url)
	if !ok || at.Authority == "" {
		return storage.Place{}, fmt.Errorf("file %q: %w: a catalog's tables are not read from this machine; location_map=FROM=TO says where files are whose paths begin with FROM", file, storage.ErrOutside)
	}
	scheme, err := a.catalog.config.Scheme(at.Scheme)
	if err != nil {
		return storage.Place{}, fmt.Errorf("file %q: %w", at, err)
	}
	if scheme.Granted == nil {
		return storage.Place{}, fmt.Errorf("file %q: %w: a catalog's tables are not read from %s://; location_map=FROM=TO says where files are whose paths begin with FROM", at, storage.ErrOutside, at.Scheme)
	}
	if slices.Contains(strings.Split(at.Path, "/"), "..") {
		return storage.Place{}, fmt.Errorf("file %q: %w", at, storage.ErrOutside)
	}
	a.mu.Lock()
	granted := a.grant
	a.mu.Unlock()
	k := storeKey{place: at.Scheme + "://" + at.Authority}
	if granted != nil {
		k.prefix, k.grant = granted(url)
	}
	store, err := a.keeper.open(k, func() (storage.Root, error) {
		root, err := scheme.Granted(storage.Address{Scheme: at.Scheme, Authority: at.Authority}, k.grant)
		if kept := a.catalog.config.Kept; err == nil && kept != nil {
			root.Store, err = kept(root.Store, k.place+" "+endpointOf(k.grant))
		}
		return root, err
	})
	if err != nil {
		return storage.Place{}, fmt.Errorf("file %q: %w", at, err)
	}
	return storage.Place{From: k.place + " " + a.name, Store: store, Folder: at.Path}, nil
}

// endpointOf are the properties that say which service is asked.
func endpointOf(g storage.Grant) string {
	if g == nil {
		return ""
	}
	var out []string
	for name, value := range g.Settings() {
		if storage.NamesService(name) {
			out = append(out, name+"="+value)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// storeKey tells the stores of a catalog's files apart.
type storeKey struct {
	place  string // scheme and authority
	prefix string // of the grant
	grant  storage.Grant
}

// keeper keeps the stores that were used last: each has connections.
type keeper struct {
	mu     sync.Mutex
	stores map[storeKey]storage.Store
	order  []storeKey // the one that was used last comes last
}

// mostStores is how many stores of a catalog's files are kept.
const mostStores = 64

func (k *keeper) open(key storeKey, open func() (storage.Root, error)) (storage.Store, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s, ok := k.stores[key]; ok {
		if last := len(k.order) - 1; k.order[last] != key {
			k.order = append(slices.Delete(k.order, slices.Index(k.order, key), slices.Index(k.order, key)+1), key)
		}
		return s, nil
	}
	root, err := open()
	if err != nil {
		return nil, err
	}
	if len(k.order) == mostStores {
		oldest := k.order[0]
		err = closed(k.stores[oldest])
		delete(k.stores, oldest)
		k.order = slices.Delete(k.order, 0, 1)
	}
	if k.stores == nil {
		k.stores = map[storeKey]storage.Store{}
	}
	k.stores[key], k.order = root.Store, append(k.order, key)
	return root.Store, err
}

// close lets go of the connections.
func (k *keeper) close() (err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.stores {
		err = cmp.Or(err, closed(s))
	}
	k.stores, k.order = nil, nil
	return err
}

// closed closes what can be closed. Requests that go on are not ended.
func closed(of any) error {
	if c, ok := of.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
