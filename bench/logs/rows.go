package logs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// generator makes rows, the same in each run.
type generator struct {
	*rand.Rand
	rows    int64 // of events
	clients int64
	next    int64
	at      time.Time
}

func newGenerator(rows int64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(60, 2)), rows: rows, clients: max(rows/40, 10), at: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// period is the time of all events.
const period = 60 * 24 * time.Hour

var (
	kinds     = []string{"request", "query", "login", "order", "refund", "failure"}
	countries = []string{"DE", "US", "FR", "JP", "BR", "IN", "GB", "NG", "PL", "CL", "SE", "VN"}
	agents    = []string{"browser", "phone", "tablet", "robot", "library"}
	cities    = []string{"Oslo", "Lima", "Kyoto", "Lagos", "Turin", "Perth", "Quito", "Ghent", "Leeds", "Dakar"}
	tags      = []string{"cached", "slow", "retried", "mobile", "beta", "internal", "paid", "trial", "audit"}
	words     = []string{"request", "handled", "after", "retry", "cache", "miss", "for", "page", "loaded", "from", "replica", "with", "warnings", "queue", "drained", "again"}
	labels    = []string{"zone", "build", "host", "shard"}
	faults    = []string{"timeout", "connection refused", "out of quota", "bad gateway", "not found"}
	teams     = []string{"payments", "search", "catalog", "identity", "shipping"}
)

const numberOfServices = 40

// pick is one of a list; the first ones are much more frequent.
func pick[T any](g *generator, list []T) T {
	f := g.Float64()
	return list[int(f*f*float64(len(list)))]
}

func (g *generator) event() Event {
	i := g.next
	g.next++
	g.at = g.at.Add(time.Duration(g.Int64N(2*int64(period)/max(g.rows, 1) + 1)))
	status := []int32{200, 200, 200, 204, 201, 304, 404, 500, 503}[int(math.Pow(g.Float64(), 2)*9)]
	e := Event{
		ID: i, Time: g.at.UnixMicro(), Trace: fmt.Sprintf("%016x", uint64(i)*0x9E3779B97F4A7C15), Session: int64(uint64(g.Int64N(max(g.rows/20, 1))) * 0xD1342543DE82EF95 >> 1),
		Kind: pick(g, kinds), Service: serviceName(int(math.Pow(g.Float64(), 2) * numberOfServices)), Status: status,
		Latency: math.Round(g.ExpFloat64()*20_000) / 1000, Bytes: g.Int64N(1 << 20), Cost: g.Int64N(10_000_000),
		Client: g.client(), Labels: map[string]string{}, Message: g.message(i),
	}
	for range g.IntN(4) {
		e.Tags = append(e.Tags, pick(g, tags))
	}
	for range g.IntN(4) {
		e.Items = append(e.Items, Item{fmt.Sprintf("product %d", int(math.Pow(g.Float64(), 2)*500)), g.Int32N(9) + 1, float64(g.Int32N(40_000)) / 4})
	}
	for _, name := range labels[:g.IntN(len(labels)+1)] {
		e.Labels[name] = fmt.Sprintf("%s-%d", name, g.IntN(20))
	}
	if status >= 500 {
		fault := pick(g, faults)
		e.Error = &fault
	}
	return e
}

func (g *generator) client() Client {
	c := Client{ID: g.Int64N(g.clients), Country: pick(g, countries), Agent: pick(g, agents)}
	if g.IntN(5) > 0 {
		age := 18 + g.Int32N(70)
		c.Age = &age
	}
	if g.IntN(4) > 0 {
		c.Place = &Place{pick(g, cities), float64(g.Int32N(72_000))/200 - 180, float64(g.Int32N(36_000))/200 - 90}
	}
	return c
}

// message is some words and a number; a few hundred have a rare word.
func (g *generator) message(i int64) string {
	text := ""
	for range 4 + g.IntN(8) {
		text += words[g.IntN(len(words))] + " "
	}
	if g.IntN(5000) == 0 {
		text += "deadlock "
	}
	return text + fmt.Sprintf("in %d us, number %d", g.IntN(100_000), i)
}

func serviceName(i int) string { return fmt.Sprintf("service-%02d", i) }

func services() []Service {
	out := make([]Service, numberOfServices)
	for i := range out {
		out[i] = Service{serviceName(i), teams[i%len(teams)], countries[i%4], int32(i%3) + 1}
	}
	return out
}

func (g *generator) accounts() []Account {
	out := make([]Account, g.clients)
	for i := range out {
		out[i] = Account{int64(i), fmt.Sprintf("account %d", i), pick(g, []string{"small", "medium", "large"}), g.at.Add(-time.Duration(g.Int64N(int64(10 * period)))).UnixMicro()}
	}
	return out
}
