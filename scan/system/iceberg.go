package system

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/scan/iceberg"
	"github.com/parquetsql/parquetsql/scan/iceberg/manifest"
	"github.com/parquetsql/parquetsql/vector"
)

// icebergTable is a system table of an Iceberg table, which reads its metadata alone; nil where it is
// none. Names are those of Trino and Spark.
func icebergTable(ctx context.Context, s *catalog.Snapshot, name, kind string) (*computed.Table, error) {
	make := icebergTables[kind]
	if make == nil {
		return nil, nil
	}
	p, at, err := s.Iceberg(ctx, name)
	if p == nil || err != nil {
		return nil, err
	}
	return virtual(name+"$"+kind, make(p, at)), nil
}

// icebergTables has the table t$x of an Iceberg table t under x.
var icebergTables = map[string]func(*iceberg.Pinned, iceberg.At) systemDefinition{
	"snapshots": icebergSnapshots, "history": icebergHistory, "refs": icebergRefs, "manifests": icebergManifests,
	"files": icebergFiles, "partitions": icebergPartitions, "properties": icebergProperties,
}

// timed is columns behind one of a time.
func timed(name, specification string) []scan.Column {
	return append([]scan.Column{{Name: name, Type: utcMicros}}, systemColumns(specification)...)
}

func moment(t time.Time) vector.Scalar { return instant(t.UnixMicro()) }

func optional(n *int64) vector.Scalar {
	if n == nil {
		return noNumber
	}
	return number(*n)
}

func icebergSnapshots(p *iceberg.Pinned, _ iceberg.At) systemDefinition {
	d := systemDefinition{columns: timed("committed_at", "snapshot_id:n parent_id:n? sequence_number:n operation:t? manifest_list:t? summary:t schema_id:n?")}
	d.rows = func(_ context.Context, emit func(row) error) error {
		for _, s := range p.Snapshots {
			summary, err := json.Marshal(s.Summary)
			if err != nil {
				return err
			}
			id := noNumber
			if s.SchemaID != nil {
				id = number(int64(*s.SchemaID))
			}
			if err := emit(row{moment(s.Time), number(s.ID), optional(s.Parent), number(s.Sequence), textOrNull(s.Operation), textOrNull(s.ManifestList), text(string(summary)), id}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

func icebergHistory(p *iceberg.Pinned, _ iceberg.At) systemDefinition {
	d := systemDefinition{columns: timed("made_current_at", "snapshot_id:n parent_id:n?")}
	d.columns = append(d.columns, scan.Column{Name: "is_current_ancestor", Type: vector.Of(vector.Boolean)})
	d.rows = func(_ context.Context, emit func(row) error) error {
		ancestors := p.Ancestors()
		for _, c := range p.Log {
			parent := noNumber
			if s := p.Snapshot(c.Snapshot); s != nil {
				parent = optional(s.Parent)
			}
			if err := emit(row{moment(c.Time), number(c.Snapshot), parent, vector.BoolScalar(ancestors[c.Snapshot])}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

func icebergRefs(p *iceberg.Pinned, _ iceberg.At) systemDefinition {
	d := systemDefinition{columns: systemColumns("name:t type:t snapshot_id:n max_reference_age_in_ms:n? min_snapshots_to_keep:n? max_snapshot_age_in_ms:n?")}
	d.rows = func(_ context.Context, emit func(row) error) error {
		for name, r := range p.Refs {
			kind := "BRANCH"
			if r.Tag {
				kind = "TAG"
			}
			if err := emit(row{text(name), text(kind), number(r.Snapshot), optional(r.MaxAge), optional(r.MinSnapshots), optional(r.MaxSnapshotAge)}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

func icebergManifests(p *iceberg.Pinned, at iceberg.At) systemDefinition {
	d := systemDefinition{columns: systemColumns("content:n path:t length:n? partition_spec_id:n sequence_number:n added_snapshot_id:n? added_files_count:n? existing_files_count:n? deleted_files_count:n? " +
		"added_rows_count:n? existing_rows_count:n? deleted_rows_count:n? first_row_id:n? partition_summaries:t")}
	d.rows = func(ctx context.Context, emit func(row) error) error {
		list, err := p.ManifestsAt(ctx, at)
		if err != nil {
			return err
		}
		for _, m := range list {
			content := int64(0)
			if m.Deletes {
				content = 1
			}
			if err := emit(row{
				number(content), text(m.Path), orNull(m.Length), number(max(0, m.Spec)), number(m.Sequence), orNull(m.Snapshot), orNull(m.AddedFiles), orNull(m.ExistingFiles), orNull(m.DeletedFiles),
				orNull(m.AddedRows), orNull(m.ExistingRows), orNull(m.DeletedRows), orNull(m.FirstRow), text(p.SummaryText(m)),
			}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

func icebergFiles(p *iceberg.Pinned, at iceberg.At) systemDefinition {
	d := systemDefinition{columns: systemColumns("content:n file_path:t file_format:t spec_id:n partition:t record_count:n file_size_in_bytes:n sequence_number:n column_sizes:t value_counts:t null_value_counts:t nan_value_counts:t " +
		"lower_bounds:t upper_bounds:t equality_ids:t? referenced_data_file:t? content_offset:n? content_size_in_bytes:n? first_row_id:n?")}
	d.rows = func(ctx context.Context, emit func(row) error) error {
		list, err := p.Files(ctx, at)
		if err != nil {
			return err
		}
		for _, f := range list {
			equality := noText
			if f.Equality != nil {
				ids, err := json.Marshal(f.Equality)
				if err != nil {
					return err
				}
				equality = text(string(ids))
			}
			if err := emit(row{
				number(int64(f.Content)), text(f.Path), text(strings.ToUpper(f.Format)), number(int64(f.Spec.ID)), text(p.PartitionText(f)), number(f.Records), number(f.Size), number(f.Sequence),
				text(p.CountsText(f, func(c manifest.Column) int64 { return c.Size })), text(p.CountsText(f, func(c manifest.Column) int64 { return c.Values })),
				text(p.CountsText(f, func(c manifest.Column) int64 { return c.Nulls })), text(p.CountsText(f, func(c manifest.Column) int64 { return c.NaNs })),
				text(p.BoundsText(f, func(c manifest.Column) []byte { return c.Lower })), text(p.BoundsText(f, func(c manifest.Column) []byte { return c.Upper })),
				equality, textOrNull(f.Referenced), orNull(f.ContentOffset), orNull(f.ContentSize), orNull(f.FirstRow),
			}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

// icebergPartitions has a row for each partition of a spec, with what its files have.
func icebergPartitions(p *iceberg.Pinned, at iceberg.At) systemDefinition {
	d := systemDefinition{columns: systemColumns("partition:t spec_id:n record_count:n file_count:n total_data_file_size_in_bytes:n position_delete_record_count:n position_delete_file_count:n equality_delete_record_count:n equality_delete_file_count:n")}
	d.rows = func(ctx context.Context, emit func(row) error) error {
		list, err := p.Files(ctx, at)
		if err != nil {
			return err
		}
		sums := map[string]*[7]int64{}
		first := map[string]*manifest.File{}
		var order []string
		for _, f := range list {
			s := sums[f.Key]
			if s == nil {
				s = &[7]int64{}
				sums[f.Key], first[f.Key], order = s, f, append(order, f.Key)
			}
			switch f.Content {
			case manifest.Data:
				s[0], s[1], s[2] = s[0]+f.Records, s[1]+1, s[2]+f.Size
			case manifest.Positions:
				s[3], s[4] = s[3]+f.Records, s[4]+1
			default:
				s[5], s[6] = s[5]+f.Records, s[6]+1
			}
		}
		slices.Sort(order)
		for _, key := range order {
			r := row{text(p.PartitionText(first[key])), number(int64(first[key].Spec.ID))}
			for _, n := range sums[key] {
				r = append(r, number(n))
			}
			if err := emit(r); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}

func icebergProperties(p *iceberg.Pinned, _ iceberg.At) systemDefinition {
	d := systemDefinition{columns: systemColumns("key:t value:t")}
	d.rows = func(_ context.Context, emit func(row) error) error {
		for key, value := range p.Properties {
			if err := emit(row{text(key), text(value)}); err != nil {
				return err
			}
		}
		return nil
	}
	return d
}
