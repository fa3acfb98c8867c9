package server

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parquetsql/parquetsql"
)

// metrics are counts of what the server does.
type metrics struct {
	connections, open, refused, running atomic.Int64
	bytes                               atomic.Int64 // sent
	rows, read                          atomic.Int64

	mu      sync.Mutex
	errors  map[string]int64 // by SQLSTATE
	seconds histogram
}

// histogram counts queries by how long they took.
type histogram struct {
	counts [len(bounds)]int64
	count  int64
	sum    float64
}

// bounds are in seconds.
var bounds = [...]float64{0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300}

func (m *metrics) query(took time.Duration, stats parquetsql.QueryStats) {
	m.rows.Add(stats.Rows)
	m.read.Add(stats.BytesRead)
	m.mu.Lock()
	defer m.mu.Unlock()
	seconds := took.Seconds()
	m.seconds.count++
	m.seconds.sum += seconds
	for i, bound := range bounds {
		if seconds <= bound {
			m.seconds.counts[i]++
		}
	}
}

func (m *metrics) failed(code string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.errors == nil {
		m.errors = map[string]int64{}
	}
	m.errors[code]++
}

// Handler answers /metrics, in the text format of Prometheus, and /healthz, which is 503 once the
// server shuts down.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Write(s.exposition()) // a client that leaves misses it
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if s.isClosing() {
			http.Error(w, "closing", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

func (s *Server) exposition() []byte {
	m := &s.metrics
	taken, waiting := s.memory.state()
	var out []byte
	line := func(kind, name, help string, value any) {
		out = fmt.Appendf(out, "# HELP parquetsql_%s %s\n# TYPE parquetsql_%s %s\nparquetsql_%s %v\n", name, help, name, kind, name, value)
	}
	line("counter", "connections_total", "Connections that were accepted.", m.connections.Load())
	line("gauge", "connections", "Connections that are open.", m.open.Load())
	line("counter", "authentication_failures_total", "Connections that did not prove who they are.", m.refused.Load())
	line("gauge", "queries_running", "Queries that run, or wait with rows that were not fetched.", m.running.Load())
	line("gauge", "queries_waiting", "Queries that wait for memory or their turn.", waiting)
	line("gauge", "memory_granted_bytes", "Memory that queries may hold.", taken)
	line("counter", "rows_total", "Rows that queries have handed out.", m.rows.Load())
	line("counter", "read_bytes_total", "Bytes that queries have read of files.", m.read.Load())
	line("counter", "sent_bytes_total", "Bytes that were sent to clients.", m.bytes.Load())
	m.mu.Lock()
	defer m.mu.Unlock()
	out = append(out, "# HELP parquetsql_errors_total Errors that clients were told.\n# TYPE parquetsql_errors_total counter\n"...)
	var codes []string
	for code := range m.errors {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	for _, code := range codes {
		out = fmt.Appendf(out, "parquetsql_errors_total{sqlstate=%q} %d\n", code, m.errors[code])
	}
	out = append(out, "# HELP parquetsql_query_seconds How long queries took.\n# TYPE parquetsql_query_seconds histogram\n"...)
	for i, bound := range bounds {
		out = fmt.Appendf(out, "parquetsql_query_seconds_bucket{le=\"%g\"} %d\n", bound, m.seconds.counts[i])
	}
	out = fmt.Appendf(out, "parquetsql_query_seconds_bucket{le=\"+Inf\"} %d\nparquetsql_query_seconds_sum %g\nparquetsql_query_seconds_count %d\n",
		m.seconds.count, m.seconds.sum, m.seconds.count)
	return out
}
