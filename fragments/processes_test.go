package fragments

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parquetsql/parquetsql"
)

// A process of the test binary is a worker where this variable has its seed. It reads a fragment a line,
// and answers with a line each. Its store kills it at random.
const workerVariable = "PARQUETSQL_FRAGMENT_WORKER"

func TestMain(m *testing.M) {
	if seed := os.Getenv(workerVariable); seed != "" {
		if err := serve(seed, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func serve(seed string, in io.Reader, out io.Writer) error {
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		return err
	}
	// Rare enough that some attempts end, so often that none of the operations is spared.
	store := &unreliable{Store: Dir(os.Getenv("PARQUETSQL_FRAGMENT_STORE")), rng: rand.New(rand.NewPCG(n, 0)), kill: 0.02, delay: 0.1}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		answer := "ok"
		f, err := Unmarshal(lines.Bytes())
		if err == nil {
			err = (&Worker{}).Run(context.Background(), f, store)
		}
		if err != nil {
			answer = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// unreliable is a store in whose operations the process dies, and where manifests are not seen at first.
type unreliable struct {
	Store
	mu          sync.Mutex
	rng         *rand.Rand
	kill, delay float64
}

func (u *unreliable) chance(p float64) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.rng.Float64() < p
}

// perhaps ends the process as kill -9 does.
func (u *unreliable) perhaps() {
	if !u.chance(u.kill) {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		os.Exit(2)
	}
	select {}
}

func (u *unreliable) Create(ctx context.Context, name string) (Writer, error) {
	u.perhaps()
	w, err := u.Store.Create(ctx, name)
	return unreliableWriter{w, u}, err
}

type unreliableWriter struct {
	Writer
	of *unreliable
}

func (w unreliableWriter) Write(b []byte) (int, error) {
	w.of.perhaps()
	if w.of.chance(w.of.kill) { // in the middle of it
		_, _ = w.Writer.Write(b[:len(b)/2])
		w.of.kill = 1
		w.of.perhaps()
	}
	return w.Writer.Write(b)
}

func (w unreliableWriter) Close() error {
	w.of.perhaps()
	defer w.of.perhaps()
	return w.Writer.Close()
}

func (u *unreliable) CreateNew(ctx context.Context, name string, data []byte) error {
	u.perhaps()
	defer u.perhaps()
	return u.Store.CreateNew(ctx, name, data)
}

func (u *unreliable) ReadAll(ctx context.Context, name string) ([]byte, error) {
	u.perhaps()
	if u.chance(u.delay) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.Store.ReadAll(ctx, name)
}

// process is a worker's process.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// pool is processes, of which those that die are replaced.
type pool struct {
	store string
	free  chan *process // nil: none has begun
	mu    sync.Mutex
	rng   *rand.Rand
	died  int
}

func newPool(store string, n int, seed uint64) *pool {
	p := &pool{store: store, free: make(chan *process, n), rng: rand.New(rand.NewPCG(seed, 1))}
	for range n {
		p.free <- nil
	}
	return p
}

func (p *pool) random() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rng.Uint64()
}

func (p *pool) start() (*process, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &process{cmd: exec.Command(own)}
	w.cmd.Env = append(os.Environ(), workerVariable+"="+strconv.FormatUint(p.random(), 10), "PARQUETSQL_FRAGMENT_STORE="+p.store)
	w.cmd.Stderr = os.Stderr
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	return w, w.cmd.Start()
}

var errDied = errors.New("the worker died")

// run runs a fragment in one process or, at random, in two at the same time.
func (p *pool) run(ctx context.Context, f *Fragment) error {
	if p.random()%3 > 0 || cap(p.free) < 2 {
		return p.once(f)
	}
	var errs [2]error
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = p.once(f) })
	}
	wg.Wait()
	if errs[0] == nil || errs[1] == nil {
		return nil
	}
	return errors.Join(errs[:]...)
}

func (p *pool) once(f *Fragment) (err error) {
	w := <-p.free
	defer func() { p.free <- w }()
	if w == nil {
		if w, err = p.start(); err != nil {
			return err
		}
	}
	data, err := f.Marshal()
	if err != nil {
		return err
	}
	_, err = w.in.Write(append(data, '\n'))
	answer := ""
	if err == nil {
		answer, err = w.out.ReadString('\n')
	}
	if err != nil {
		_ = w.in.Close()
		_ = w.cmd.Wait() // it was killed
		w = nil
		p.mu.Lock()
		p.died++
		p.mu.Unlock()
		return errDied
	}
	if answer = strings.TrimSpace(answer); answer != "ok" {
		return errors.New(answer)
	}
	return nil
}

func (p *pool) close() {
	for range cap(p.free) {
		if w := <-p.free; w != nil {
			_ = w.in.Close()
			_ = w.cmd.Wait()
		}
	}
}

// writeTables writes a folder of tables: sales of several files and row groups, and shops of one.
func writeTables(t testing.TB, seed uint64) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(seed, 2))
	sales := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "shop", Type: arrow.PrimitiveTypes.Int64, Nullable: true}, {Name: "product", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "amount", Type: arrow.PrimitiveTypes.Float64, Nullable: true}, {Name: "price", Type: &arrow.Decimal128Type{Precision: 15, Scale: 2}}, {Name: "day", Type: arrow.FixedWidthTypes.Date32},
		{Name: "tags", Type: arrow.ListOf(arrow.BinaryTypes.String), Nullable: true},
	}, nil)
	id := int64(0)
	for file := range 3 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, sales)
		for range 700 {
			id++
			b.Field(0).(*array.Int64Builder).Append(id)
			maybe(rng, b.Field(1), func() { b.Field(1).(*array.Int64Builder).Append(rng.Int64N(20)) })
			maybe(rng, b.Field(2), func() { b.Field(2).(*array.StringBuilder).Append(fmt.Sprint("product ", rng.IntN(40))) })
			maybe(rng, b.Field(3), func() { b.Field(3).(*array.Float64Builder).Append(float64(rng.IntN(1000)) / 8) })
			if err := b.Field(4).(*array.Decimal128Builder).AppendValueFromString(fmt.Sprintf("%d.%02d", rng.IntN(1000), rng.IntN(100))); err != nil {
				t.Fatal(err)
			}
			b.Field(5).(*array.Date32Builder).Append(arrow.Date32(20000 + id/100))
			list := b.Field(6).(*array.ListBuilder)
			list.Append(true)
			for range rng.IntN(3) {
				list.ValueBuilder().(*array.StringBuilder).Append(string(rune('a' + rng.IntN(5))))
			}
		}
		writeFile(t, filepath.Join(dir, "sales", fmt.Sprintf("part-%d.parquet", file)), b, 250)
	}
	shops := arrow.NewSchema([]arrow.Field{{Name: "shop", Type: arrow.PrimitiveTypes.Int64}, {Name: "town", Type: arrow.BinaryTypes.String}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, shops)
	for i := range 15 {
		b.Field(0).(*array.Int64Builder).Append(int64(i))
		b.Field(1).(*array.StringBuilder).Append(fmt.Sprint("town ", i%4))
	}
	writeFile(t, filepath.Join(dir, "shops.parquet"), b, 4)
	return dir
}

func maybe(rng *rand.Rand, b array.Builder, value func()) {
	if rng.IntN(10) == 0 {
		b.AppendNull()
	} else {
		value()
	}
}

func writeFile(t testing.TB, path string, b *array.RecordBuilder, rows int64) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pqarrow.NewFileWriter(b.Schema(), out, parquet.NewWriterProperties(parquet.WithMaxRowGroupLength(rows)), pqarrow.DefaultWriterProps())
	if err == nil {
		err = w.WriteBuffered(b.NewRecordBatch())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
}

// queries have the same rows each time, in some order.
var queries = []string{
	"SELECT * FROM sales WHERE amount > 50",
	"SELECT COUNT(*), SUM(amount), AVG(price), MIN(day), MAX(product), STDDEV(amount), CORR(amount, id), ARG_MAX(product, id) FROM sales",
	"SELECT product, COUNT(*), SUM(price), AVG(amount), COUNT(DISTINCT shop), MEDIAN(amount) FROM sales GROUP BY product",
	"SELECT product, STRING_AGG(id, ',' ORDER BY id) FROM sales GROUP BY product ORDER BY product NULLS FIRST LIMIT 7",
	"SELECT id, product FROM sales ORDER BY amount DESC NULLS LAST, id LIMIT 20 OFFSET 5",
	"SELECT id FROM sales LIMIT 300 OFFSET 600",
	"SELECT DISTINCT shop, day FROM sales",
	"SELECT town, COUNT(*), SUM(amount) FROM sales JOIN shops USING (shop) GROUP BY town",
	"SELECT s.id, o.town FROM sales s LEFT JOIN shops o ON s.shop = o.shop WHERE s.id % 7 = 0",
	"SELECT o.town, s.id FROM sales s RIGHT JOIN shops o ON s.shop = o.shop AND s.id < 100",
	"SELECT s.id, o.town FROM sales s FULL JOIN shops o ON s.shop = o.shop AND s.id < 500",
	"SELECT id FROM sales WHERE shop NOT IN (SELECT shop FROM shops WHERE town <> 'town 1')",
	"SELECT id FROM sales s WHERE EXISTS (SELECT 1 FROM shops o WHERE o.shop = s.shop AND o.town = 'town 2')",
	"SELECT a.id, b.id FROM sales a JOIN sales b ON a.product = b.product AND a.day = b.day WHERE a.id < b.id",
	"SELECT id, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY id), SUM(amount) OVER (PARTITION BY product ORDER BY id) FROM sales",
	"SELECT shop, product, COUNT(*), GROUPING(shop) FROM sales GROUP BY CUBE (shop, product)",
	"SELECT id FROM sales WHERE id < 900 EXCEPT SELECT id FROM sales WHERE amount > 20",
	"SELECT product FROM sales UNION SELECT town FROM shops",
	"WITH x AS (SELECT shop, SUM(amount) AS total FROM sales GROUP BY shop) SELECT a.shop, b.shop FROM x a JOIN x b ON a.total < b.total",
	"SELECT tag, COUNT(*), MIN(id) FROM sales, UNNEST(tags) AS t(tag) GROUP BY tag",
	"SELECT product, tags, MAX(id) FROM sales GROUP BY product, tags",
	"SELECT s.id, o.shop FROM sales s ASOF JOIN shops o ON s.shop >= o.shop",
	"SELECT town, (SELECT COUNT(*) FROM sales s WHERE s.shop = o.shop) FROM shops o",
	"SELECT id FROM sales WHERE amount = (SELECT MAX(amount) FROM sales)",
}

// TestKilledWorkers: whatever happens to the processes that run the fragments, the rows are those of the
// driver, and no file is left.
func TestKilledWorkers(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("PARQUETSQL_FRAGMENT_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	runs := len(queries)
	if s := os.Getenv("PARQUETSQL_FRAGMENT_RUNS"); s != "" {
		var err error
		if runs, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d (PARQUETSQL_FRAGMENT_SEED), %d runs (PARQUETSQL_FRAGMENT_RUNS)", seed, runs)
	rng := rand.New(rand.NewPCG(seed, 0))
	dir, store := writeTables(t, seed), t.TempDir()
	plain, err := sql.Open("parquet", dir)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	want := map[string][]string{}
	fragments, died := 0, 0
	for i, workers := range []int{1, 2, 4, 7} {
		pool := newPool(store, workers, rng.Uint64())
		for run := i; run < runs; run += 4 {
			query := queries[rng.IntN(len(queries))]
			if runs == len(queries) {
				query = queries[run]
			}
			o := parquetsql.StageOptions{SplitBytes: 1 + rng.Int64N(8<<10), Partitions: 1 + rng.IntN(5), BroadcastBytes: rng.Int64N(3) - 1}
			if want[query] == nil {
				want[query] = rowsOf(t, plain.QueryContext, query)
			}
			plan, err := New(t.Context(), Query{DSN: dir, SQL: query, StageOptions: o})
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, query, err)
			}
			fragments += len(plan.Fragments)
			if err := plan.Do(t.Context(), workers, 200, pool.run); err != nil {
				t.Fatalf("seed %d: %s: %v", seed, query, err)
			}
			got := rowsOf(t, func(ctx context.Context, _ string, _ ...any) (*sql.Rows, error) { return plan.Rows(ctx, Dir(store)) }, query)
			if !slices.Equal(got, want[query]) {
				t.Errorf("seed %d: %s with %d workers, %+v: %d rows, want %d, the first that differs\n%s\n%s\n%s", seed, query, workers, o, len(got), len(want[query]), firstOther(got, want[query]), firstOther(want[query], got), strings.Join(plan.Text(), "\n"))
			}
			if err := errors.Join(plan.Close(), Clean(t.Context(), Dir(store), plan.ID)); err != nil {
				t.Fatal(err)
			}
			if left, err := Dir(store).List(t.Context(), ""); len(left) > 0 || err != nil {
				t.Fatalf("seed %d: %s: left are %q, %v", seed, query, left, err)
			}
		}
		pool.close()
		died += pool.died
	}
	t.Logf("%d fragments, %d workers died", fragments, died)
	if died == 0 {
		t.Error("no worker died")
	}
}

// rowsOf is the rows of a query as sorted texts.
func rowsOf(t *testing.T, query func(context.Context, string, ...any) (*sql.Rows, error), text string) []string {
	t.Helper()
	rows, err := query(t.Context(), text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	out := []string{}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		parts := make([]string, len(values))
		for i, v := range values {
			if f, ok := v.(float64); ok {
				v = strconv.FormatFloat(f, 'g', 9, 64) // sums in another order
			}
			parts[i] = fmt.Sprint(v)
		}
		out = append(out, strings.Join(parts, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	slices.Sort(out)
	return out
}

// firstOther is the first row that another list does not have.
func firstOther(rows, other []string) string {
	for _, row := range rows {
		if !slices.Contains(other, row) {
			return row
		}
	}
	return ""
}
