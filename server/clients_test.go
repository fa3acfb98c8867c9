package server_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Tests with programs that are installed or not: those of Debian's packages postgresql-client,
// libpostgresql-jdbc-java, odbc-postgresql, python3-psycopg2 and python3-sqlalchemy, and npm's pg.

// program runs a program, whose test is skipped where it, or what it needs, is missing.
func program(t *testing.T, needs []string, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	if needs != nil {
		if out, err := exec.Command(needs[0], needs[1:]...).CombinedOutput(); err != nil {
			t.Skipf("what the test needs is not installed: %s: %.200s", strings.Join(needs, " "), out)
		}
	}
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), "PGCONNECT_TIMEOUT=30", "LC_ALL=C.UTF-8")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v: %s", name, err, out)
	}
	return string(out)
}

// says checks that there is each of some lines.
func says(t *testing.T, out string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+out, "\n"+line+"\n") {
			t.Errorf("%q is missing in\n%s", line, out)
		}
	}
}

// TestPsql: the commands of psql 15 that list what there is.
func TestPsql(t *testing.T) {
	_, address := start(t, nil)
	host, port, _ := strings.Cut(address, ":")
	args := []string{"-X", "-A", "-t", "-h", host, "-p", port, "-U", "me", "-d", "sales", "-v", "ON_ERROR_STOP=1"}
	for _, c := range strings.Fields(`\d \dt \dn \dn+ \l \l+ \du \dg \df \da \dv \dm \di \ds \dE \dp \z \dx \db \do \dC \dO \dconfig \dy \des \dew \deu \det \dRp \dRs
		\dF \dFd \dFp \dFt \dT \dT+ \dD \dX \dc \dAc \dAf \dAo \dAp \ddp \dl \drds \dP \dA \dd \ddS \dL \dL+ \df+ \dew+ \dconfig+ \dC+ \dc+ \dD+ \des+ \det+ \deu+ \dP+
		\d+ \dS \dtS \dvS \dpS \dti \dn+ \db+ \dy+ \dAc+ \dE+ \dFd+ \dFt+ \di+ \dl+ \dm+ \dO+ \dRs+ \ds+ \du+ \l+ \dA+ \lo_list \encoding \conninfo`) {
		args = append(args, "-c", c)
	}
	args = append(args, "-c", `\d penguins`, "-c", `\d+ penguins`, "-c", "SELECT Species, COUNT(*) FROM penguins GROUP BY 1 ORDER BY 1", "-c", `\copy (SELECT 1, NULL) TO STDOUT`)
	out := program(t, nil, "psql", args...)
	says(t, out, "main|penguins|table|parquet", "Flipper Length (mm)|bigint|||", "Gentoo|124", `1	\N`)
}

func TestJDBC(t *testing.T) {
	const jar = "/usr/share/java/postgresql.jar"
	if _, err := os.Stat(jar); err != nil {
		t.Skip(err)
	}
	_, address := start(t, nil)
	out := program(t, nil, "java", "-cp", jar, "testdata/clients/Meta.java", "jdbc:postgresql://"+address+"/sales?user=me")
	says(t, out, "version: PostgreSQL 15", "schemas: information_schema;main;pg_catalog", "tables: main|penguins|TABLE", "keys: ", "imported: ", "indexes: ", "types: true", "catalogs: sales",
		"columns: Species|12|varchar|1;Island|12|varchar|2;Beak Length (mm)|8|float8|3;Beak Depth (mm)|8|float8|4;Flipper Length (mm)|-5|int8|5;Body Mass (g)|-5|int8|6;Sex|12|varchar|7",
		"result: varchar,int8 Adelie|56;Chinstrap|68", "fetched: 344", "error: 42703",
		`binary: 7 2.50 1.5 2020-02-03 2020-02-03 04:05:06.5 f81d4fae-7dec-11d0-a765-00a0c91e6bf6 ab {"1",NULL} 1.25`)
}

func TestPython(t *testing.T) {
	const python = "/usr/bin/python3" // that Debian's packages are for
	_, address := start(t, nil)
	out := program(t, []string{python, "-c", "import psycopg2, sqlalchemy"}, python, "testdata/clients/meta.py", address)
	says(t, out, "count: [(124,)]", "tuple: [(292,)]", "array: [(292,)]", "cursor: 344", "error: 42703",
		"types: [(7, Decimal('2.50'), 'x', True, datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5, 500000), None, [1, 2], datetime.timedelta(days=1), datetime.date(2020, 1, 1), Decimal('1.5'))]",
		"tables: True main ['information_schema', 'main'] []", "columns: [('Flipper Length (mm)', 'BIGINT'), ('Body Mass (g)', 'BIGINT'), ('Sex', 'VARCHAR')]", "keys: [] [] [] [] []",
		"rows: [('Adelie', 152), ('Chinstrap', 68), ('Gentoo', 124)]")
}

func TestNode(t *testing.T) {
	_, address := start(t, nil)
	out := program(t, []string{"node", "-e", "require('pg')"}, "node", "testdata/clients/meta.js", address)
	says(t, out, `rows: [{"Species":"Adelie","n":"56"},{"Species":"Chinstrap","n":"68"}]`, "error: 42703 8",
		`types: {"a":1,"b":"2.5","c":true,"d":"2020-01-02T03:04:05.000Z","e":["1","2"],"f":{"x":1},"g":{"days":1},"h":"1970-01-01T00:00:00.000Z","i":["a","b c"]}`)
}

func TestODBC(t *testing.T) {
	const driver = "/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so"
	if _, err := os.Stat(driver); err != nil {
		t.Skip(err)
	}
	_, address := start(t, nil)
	host, port, _ := strings.Cut(address, ":")
	script := "printf 'SELECT Species, COUNT(*) AS n FROM penguins GROUP BY 1 ORDER BY 1\\nhelp penguins\\n' | isql -b -d\\| -k 'DRIVER=" + driver + ";SERVER=" + host + ";PORT=" + port + ";UID=me;DATABASE=sales'"
	out := program(t, []string{"sh", "-c", "command -v isql"}, "sh", "-c", script)
	says(t, out, "Adelie|152", "Chinstrap|68", "Gentoo|124")
	if !strings.Contains(out, "|Flipper Length (mm)|") {
		t.Errorf("the columns are missing in\n%s", out)
	}
}
