package parquetsql

import (
	"fmt"
	"strings"
	"sync"
)

// configPrefix begins a DSN that names a registered Config.
const configPrefix = "config:"

// registry has the Configs by the names under which a program has registered them. Only
// RegisterConfig and DeregisterConfig change it, as sql.Register does with drivers.
var registry struct {
	sync.Mutex
	configs map[string]*Config
}

// RegisterConfig gives a Config a name, for libraries that take the name of a driver and
// a DSN and nothing else: the DSN "config:name" then stands for a copy of it, with all that
// no DSN can say (FS, KMS, OnQuery). Options may follow, "config:name?memory_limit=1GiB".
// It is an error if the Config is not valid or the name is taken, or empty, or contains
// a "?".
func RegisterConfig(name string, c *Config) (err error) {
	defer prefix(&err)
	if name == "" || strings.Contains(name, "?") {
		return fmt.Errorf("RegisterConfig: %q is no name: it is empty or contains a ?", name)
	}
	if _, err := c.normalized(); err != nil {
		return err
	}
	registry.Lock()
	defer registry.Unlock()
	if registry.configs[name] != nil {
		return fmt.Errorf("RegisterConfig: there is a Config named %q: choose another name, or call DeregisterConfig first", name)
	}
	if registry.configs == nil {
		registry.configs = map[string]*Config{}
	}
	registry.configs[name] = c.Clone()
	return nil
}

// DeregisterConfig forgets a name. Databases that were opened with it go on.
func DeregisterConfig(name string) {
	registry.Lock()
	defer registry.Unlock()
	delete(registry.configs, name)
}

// registered is a copy of the Config of a name.
func registered(name string) (*Config, error) {
	registry.Lock()
	defer registry.Unlock()
	if c := registry.configs[name]; c != nil {
		return c.Clone(), nil
	}
	return nil, fmt.Errorf("DSN: no Config is registered as %q: call RegisterConfig before", name)
}
