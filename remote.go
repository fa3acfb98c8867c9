package parquetsql

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/diskcache"
)

// address is the Path as that of a remote store; false where it is a path of the disk or of FS.
func (c *Config) address() (storage.Address, bool) {
	if c.FS != nil {
		return storage.Address{}, false
	}
	return storage.ParseAddress(c.Path)
}

// scheme is what a module says about the Path's scheme.
func (c *Config) scheme(a storage.Address) (storage.Scheme, error) { return c.schemeNamed(a.Scheme) }

func (c *Config) schemeNamed(name string) (storage.Scheme, error) {
	if s, ok := c.Stores[name]; ok {
		return s, nil
	}
	return storage.SchemeOf(name)
}

// likeSecret matches options that may be secrets of a store that nobody knows.
var likeSecret = regexp.MustCompile(`(?i)token|secret|credential|key|password|sas|header`)

// isSecret reports whether nobody may see a store's option.
func (c *Config) isSecret(option string) bool {
	a, _ := c.address()
	s, err := c.scheme(a)
	return err != nil && likeSecret.MatchString(option) || slices.ContainsFunc(s.Secrets, func(secret string) bool {
		return option == secret || strings.HasSuffix(secret, ".") && strings.HasPrefix(option, secret)
	})
}

// setStoreOption sets an option that is none of the driver's. Whether the store has it is
// checked with the whole Config.
func (c *Config) setStoreOption(name, value string) error {
	if _, remote := c.address(); !remote {
		return noOption(unknownName.FindString(name))
	}
	if c.StoreOptions == nil {
		c.StoreOptions = map[string]string{}
	}
	c.StoreOptions[name] = value
	return nil
}

// checkStore fails if nobody knows the Path's scheme, or the store has no such options.
func (c *Config) checkStore() error {
	a, remote := c.address()
	if !remote {
		if len(c.StoreOptions) > 0 {
			return errors.New("StoreOptions are for a Path such as s3://bucket/prefix")
		}
		return nil
	}
	s, err := c.scheme(a)
	if err != nil {
		return fmt.Errorf("location %q: %w", a, err)
	}
	if err := s.Check(c.StoreOptions); err != nil {
		return fmt.Errorf("location %q: %w", a, err)
	}
	return nil
}

// remote opens the store that the Path names; nil where it names none.
func (c *Config) remote() (*catalog.Remote, error) {
	a, remote := c.address()
	if !remote {
		return nil, nil
	}
	s, err := c.scheme(a)
	if err != nil {
		return nil, fmt.Errorf("location %q: %w", a, err)
	}
	root, err := s.Open(a, c.StoreOptions)
	if err != nil {
		return nil, fmt.Errorf("location %q: %w", a, err)
	}
	if keep := c.kept(); keep != nil && root.Tables == nil {
		if root.Store, err = keep(root.Store, c.storeName(a, root.Name)); err != nil {
			return nil, err
		}
	}
	return &catalog.Remote{Root: root, Address: a.String()}, nil
}

// kept makes a store one whose bytes are kept in CacheDir; nil: there is none.
func (c *Config) kept() func(s storage.Store, address string) (storage.Store, error) {
	if c.CacheDir == "" {
		return nil
	}
	dir, size := c.CacheDir, c.CacheSize
	return func(s storage.Store, address string) (storage.Store, error) {
		out, err := diskcache.New(s, address, dir, size)
		if err != nil {
			return nil, fmt.Errorf("option cache_dir: %w", err)
		}
		return out, nil
	}
}

// mapped opens the stores that location_map leads to, by what the paths begin with. Of the Path's
// own scheme they have the same options.
func (c *Config) mapped(locations map[string]string) (map[string]*catalog.Remote, error) {
	out := map[string]*catalog.Remote{}
	for from, to := range locations {
		a, remote := storage.ParseAddress(to)
		if !remote {
			continue
		}
		s, err := c.scheme(a)
		if err != nil {
			return nil, fmt.Errorf("option location_map: %w", err)
		}
		var options map[string]string
		if own, _ := c.address(); own.Scheme == a.Scheme {
			options = c.StoreOptions
		}
		root, err := s.Open(a, options)
		if err != nil {
			return nil, fmt.Errorf("option location_map: %q: %w", a, err)
		}
		out[from] = &catalog.Remote{Root: root, Address: a.String()}
	}
	return out, nil
}

// storeName tells a store from others: what of the address is not the name in it.
func (c *Config) storeName(a storage.Address, name string) string {
	return a.Scheme + "://" + a.Authority + "/" + strings.TrimSuffix(a.Path, name) + " " + c.StoreOptions["endpoint"]
}
