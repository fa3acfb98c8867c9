package delta

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/log"
)

// Commits calls yield for the versions that can be read, the newest first, until it is false.
func (p *Pinned) Commits(ctx context.Context, yield func(log.Commit) bool) error {
	return p.log.Commits(ctx, yield)
}

// Partition calls yield with the partition columns of the table and the values that a file of the
// log has, as texts.
func (v *Version) Partition(f *action.File, yield func(column string, value action.Value)) {
	for _, c := range v.schema.Fields {
		if c.Partition {
			value, _ := f.Partition.Find(c.Physical)
			yield(c.Name, value)
		}
	}
}

// Properties are the table's properties and, as properties, what its protocol needs, sorted by
// name.
func (v *Version) Properties() [][2]string {
	var out [][2]string
	for name, value := range v.Metadata.Configuration {
		out = append(out, [2]string{name, value})
	}
	out = append(out,
		[2]string{"delta.minReaderVersion", strconv.FormatInt(v.Protocol.MinReader, 10)},
		[2]string{"delta.minWriterVersion", strconv.FormatInt(v.Protocol.MinWriter, 10)})
	features := slices.Concat(v.Protocol.ReaderFeatures, v.Protocol.WriterFeatures)
	slices.Sort(features)
	for _, f := range slices.Compact(features) {
		out = append(out, [2]string{"delta.feature." + f, "supported"})
	}
	slices.SortFunc(out, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return out
}
