package scaling

import (
	"cmp"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql"
)

// Of the exchange of package fragments: see there.
const (
	segmentBytes = 256 << 10 // of a partition, from which on a segment ends
	partBytes    = 8 << 20   // of an object of package bucket
	pageKeys     = 1000      // of a listing, as S3 has it
)

// Setting says on what a query runs. What is not known of a service or a machine is an assumption of who asks.
type Setting struct {
	Workers    int
	SplitBytes int64
	Splits     []int // tasks of each stage that reads a table; nil: as many as SplitBytes makes
	Partitions int
	Grow       float64 // how many times the rows of the measured table
	GrowGroups float64 // and the groups
	Keys       float64 // by which rows that pass through are divided; 0: each row has its own
	Heavy      float64 // the share of the rows that have the most frequent key

	Latency    float64 // seconds until a request is answered
	Bandwidth  float64 // bytes a second of one worker
	PerScanned float64 // processor seconds for a scanned byte
	PerMoved   float64 // and for one that is exchanged, on either side
	PerTask    float64 // seconds for planning, and for getting a task
	HourPrice  float64 // of a worker, in dollars
	PutPrice   float64 // of a PUT or LIST
	GetPrice   float64 // of a GET
}

// Outcome is what a query takes. Requests are those of the exchange.
type Outcome struct {
	Tasks                     int
	Gets, Puts, Lists, Delete float64
	Written, Read             float64 // bytes of rows
	Manifests                 float64 // bytes of manifests that are read
	Skew                      float64 // the largest partition by the mean one, at worst
	Seconds                   float64
	Requests, Machines        float64 // dollars
}

// tasks is how many a stage has.
func (s *Shape) tasks(in Setting) []int {
	out := make([]int, len(s.Stages))
	for i, f := range s.Stages {
		out[i] = 1
		switch {
		case i == len(s.Stages)-1:
		case f.Splits:
			out[i] = max(1, int(math.Ceil(float64(f.Scanned)*in.Grow/float64(max(1, in.SplitBytes)))))
			if in.Splits != nil {
				out[i] = in.Splits[i]
			}
		case slices.ContainsFunc(f.Inputs, func(i parquetsql.StageInput) bool { return i.Read == "partition" }):
			out[i] = in.Partitions
		default:
			for _, input := range f.Inputs {
				if input.Read == "task" {
					out[i] = 0
					for _, from := range input.From {
						out[i] += out[from]
					}
				}
			}
		}
	}
	return out
}

// made is what the tasks of a stage write.
type made struct{ tasks, rows, bytes, segments, parts float64 }

// fewGroups is up to how many groups there are no more of them with more rows: categories, or the rows of LIMIT.
const fewGroups = 1000

func (f *Form) groups(in Setting) float64 {
	if f.Groups <= fewGroups {
		return f.Groups
	}
	return f.Groups * in.GrowGroups
}

// made is what a stage writes.
func (f *Form) made(in Setting, tasks int) made {
	m := made{tasks: float64(tasks), rows: f.Rows * in.Grow}
	if f.Groups > 0 {
		m.rows = m.tasks * distinct(f.groups(in), m.rows/m.tasks)
	}
	cells := m.tasks
	if f.Divided {
		// Of the cells of a task those have a segment that get a row.
		cells *= distinct(float64(in.Partitions), m.rows/m.tasks)
	} else if m.rows < m.tasks {
		cells = m.rows
	}
	if cells > 0 {
		m.segments = cells * (1 + math.Floor(m.rows/cells*f.PerRow/segmentBytes))
	}
	m.bytes = batches(m.segments, m.rows)*f.PerBatch + m.rows*f.PerRow
	if m.rows > 0 {
		m.parts = m.tasks * math.Ceil(m.bytes/m.tasks/partBytes)
	}
	return m
}

// manifests is how many bytes the manifests have: of a segment its partition, place, length and checksum.
func (m made) manifests() float64 { return m.tasks*120 + m.segments*64 }

// Predict says what the query takes.
func (s *Shape) Predict(in Setting) Outcome {
	in.Grow, in.GrowGroups = cmp.Or(in.Grow, 1), cmp.Or(in.GrowGroups, 1)
	var out Outcome
	tasks := s.tasks(in)
	all := make([]made, len(s.Stages))
	for i, f := range s.Stages {
		last := i == len(s.Stages)-1
		if !last {
			all[i] = f.made(in, tasks[i])
			out.Tasks += tasks[i]
			out.Gets += float64(tasks[i]) // is it done already?
			out.Puts += all[i].parts + float64(tasks[i])
			out.Delete += all[i].parts + float64(tasks[i])
			out.Written += all[i].bytes
		}
		gets, rows, bytes, skew := 0.0, 0.0, 0.0, 1.0
		for _, input := range f.Inputs {
			for _, from := range input.From {
				m := all[from]
				readers := float64(tasks[i])
				if input.Read == "task" {
					readers = 1
				}
				index := readers * m.manifests()
				out.Manifests, bytes = out.Manifests+index, bytes+index
				switch input.Read {
				case "task":
					gets, rows = gets+m.tasks+m.segments, rows+m.bytes
				case "partition":
					gets, rows = gets+float64(tasks[i])*m.tasks+m.segments, rows+m.bytes
					skew = max(skew, s.Stages[from].skew(in, m))
				default:
					gets, rows = gets+float64(tasks[i])*(m.tasks+m.segments), rows+float64(tasks[i])*m.bytes
				}
			}
		}
		out.Gets, out.Read, out.Skew = out.Gets+gets, out.Read+rows, max(out.Skew, skew)
		out.Seconds += in.stage(tasks[i], float64(f.Scanned)*in.Grow, rows+bytes+all[i].bytes, gets+all[i].parts+2, skew)
	}
	out.Lists = math.Ceil(out.Delete / pageKeys)
	out.Requests = (out.Puts+out.Lists)*in.PutPrice + out.Gets*in.GetPrice
	out.Machines = float64(in.Workers) * out.Seconds / 3600 * in.HourPrice
	return out
}

// stage is the time of a stage: rounds of tasks, of which the last one takes as long as the one with the largest
// partition. A task asks for one thing after the other.
func (in Setting) stage(tasks int, scanned, moved, requests, skew float64) float64 {
	n := float64(tasks)
	same := in.PerTask + requests/n*in.Latency
	of := scanned/n*in.PerScanned + moved/n*in.PerMoved
	if in.Bandwidth > 0 {
		of += (scanned + moved) / n / in.Bandwidth
	}
	rounds := math.Ceil(n / float64(max(1, in.Workers)))
	return rounds*(same+of) + (skew-1)*of
}

// skew is the largest partition by the mean one: as keys fall by their hash, or the rows of the heaviest key.
func (f *Form) skew(in Setting, m made) float64 {
	p := float64(in.Partitions)
	keys := f.groups(in)
	if keys == 0 {
		keys = cmp.Or(in.Keys, m.rows)
	}
	if keys < 1 || p < 2 {
		return 1
	}
	mean := keys / p
	byHash := 1 + math.Sqrt(2*math.Log(p)/mean) + math.Log(p)/(3*mean)
	return min(p, max(byHash, in.Heavy*p))
}

// Scanned is how many bytes of tables the measured query reads in splits.
func (s *Shape) Scanned() (n int64) {
	for _, f := range s.Stages {
		n += f.Scanned
	}
	return max(n, 1)
}
