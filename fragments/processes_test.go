package fragments_test

import (
	"os"
	"testing"

	"github.com/parquetsql/parquetsql/fragments"
	"github.com/parquetsql/parquetsql/fragments/fragmentstest"
	"github.com/parquetsql/parquetsql/fragments/internal/killed"
)

func open(store string) (fragments.Store, error) { return fragments.Dir(store), nil }

func TestMain(m *testing.M) {
	fragmentstest.Main(open)
	os.Exit(m.Run())
}

// TestKilledWorkers is about a folder.
func TestKilledWorkers(t *testing.T) { killed.Workers(t, t.TempDir(), open) }
