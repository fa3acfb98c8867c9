package variants

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Events are the files of one table: id BIGINT, and v with the same values.
type Events struct {
	Shredded string // v is a VARIANT, shredded but for the message and the tags
	Whole    string // v is a VARIANT that is not shredded
	JSON     string // v is JSON
}

const eventsGroup = 250_000

// WriteEvents writes the files into a folder, unless they exist.
func WriteEvents(dir string, rows int) (Events, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Events{}, err
	}
	path := func(name string) string { return filepath.Join(dir, name+".parquet") }
	e := Events{path("shredded"), path("whole"), path("json")}
	for name, write := range map[string]func(io.Writer, iter.Seq[[]any]){
		e.Shredded: func(out io.Writer, groups iter.Seq[[]any]) { writeVariants(out, eventShredding(), groups) },
		e.Whole:    func(out io.Writer, groups iter.Seq[[]any]) { writeVariants(out, &shredding{kind: whole}, groups) },
		e.JSON:     writeJSON,
	} {
		if _, err := os.Stat(name); err == nil {
			continue
		}
		if err := writeEvents(name, rows, write); err != nil {
			return e, err
		}
	}
	return e, nil
}

func writeEvents(name string, rows int, write func(io.Writer, iter.Seq[[]any])) (err error) {
	f, err := os.Create(name + ".part")
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	write(out, events(rows))
	if err := out.Flush(); err != nil {
		return err
	}
	return os.Rename(name+".part", name)
}

func eventShredding() *shredding {
	user := &shredding{kind: objects, fields: map[string]*shredding{"name": {kind: texts}, "age": {kind: integers}}}
	return &shredding{kind: objects, fields: map[string]*shredding{"kind": {kind: texts}, "price": {kind: doubles}, "status": {kind: integers}, "user": user}}
}

// events are rows of objects as logs have them, in row groups. Each price is a multiple
// of 1/4 below 1000, one row in 1,000 has a text instead.
func events(rows int) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		r := rand.New(rand.NewPCG(1, 1))
		for first := 0; first < rows; first += eventsGroup {
			group := make([]any, min(eventsGroup, rows-first))
			for i := range group {
				group[i] = event(r)
			}
			if !yield(group) {
				return
			}
		}
	}
}

var words = []string{"request", "timeout", "after", "retry", "user", "cache", "miss", "loaded", "from", "disk", "page", "index", "written", "to", "socket", "closed"}

func event(r *rand.Rand) any {
	message := ""
	for range 6 + r.IntN(10) {
		message += words[r.IntN(len(words))] + " "
	}
	v := map[string]any{
		"kind": []string{"view", "click", "purchase", "login", "error"}[r.IntN(5)], "price": float64(r.IntN(4000)) / 4,
		"status": int64([]int{200, 201, 301, 404, 500}[r.IntN(5)]), "user": map[string]any{"name": fmt.Sprint("user", r.IntN(1000)), "age": int64(r.IntN(90))},
		"tags": []any{words[r.IntN(len(words))], words[r.IntN(len(words))]}, "message": message + fmt.Sprintf("%x", r.Uint64()),
	}
	if r.IntN(1000) == 0 {
		v["price"] = "on request"
	}
	return v
}

func eventOptions() []parquet.WriterProperty {
	return []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Snappy), parquet.WithPageIndexEnabled(true), parquet.WithVersion(parquet.V2_LATEST)}
}

func writeVariants(out io.Writer, s *shredding, groups iter.Seq[[]any]) {
	next := 2
	fields := append(schema.FieldList{schema.NewByteArrayNode("metadata", parquet.Repetitions.Required, -1)}, s.nodes(&next)...)
	v := must(schema.NewGroupNodeLogical("v", parquet.Repetitions.Optional, fields, schema.VariantLogicalType{}, -1))
	writeColumn(out, v, s, groups, eventOptions()...)
}

func writeJSON(out io.Writer, groups iter.Seq[[]any]) {
	required := parquet.Repetitions.Required
	root := must(schema.NewGroupNode("schema", required, schema.FieldList{
		schema.NewInt64Node("id", required, -1),
		must(schema.NewPrimitiveNodeLogical("v", parquet.Repetitions.Optional, schema.JSONLogicalType{}, parquet.Types.ByteArray, 0, -1)),
	}, -1))
	w := file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(eventOptions()...)))
	first := int64(0)
	for rows := range groups {
		ids, texts := leaf{}, leaf{index: 1}
		for i, v := range rows {
			ids.ints = append(ids.ints, first+int64(i))
			texts.entry(1, 0)
			texts.bytes = append(texts.bytes, must(json.Marshal(v)))
		}
		first += int64(len(rows))
		g := must(w.AppendBufferedRowGroupChecked())
		writeLeaf(g, &ids)
		writeLeaf(g, &texts)
		if err := g.Close(); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
}
