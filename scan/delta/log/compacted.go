package log

import "github.com/parquetsql/parquetsql/scan/delta/action"

// compacted is the sink of a compaction ("Log Compaction Files"). It should have one action of
// each logical file. There are writers that put all actions into it, those of the newest commit
// first, so that the first one of each file counts, and the first protocol and metadata.
type compacted struct {
	protocol *action.Protocol
	metadata *action.Metadata
	files    []fileAction
}

// fileAction is an Add, or where that is nil a Remove.
type fileAction struct {
	add    *action.File
	remove action.Remove
}

// Protocol implements action.Sink.
func (c *compacted) Protocol(p action.Protocol) error {
	if c.protocol == nil {
		c.protocol = &p
	}
	return nil
}

// Metadata implements action.Sink.
func (c *compacted) Metadata(m action.Metadata) error {
	if c.metadata == nil {
		c.metadata = &m
	}
	return nil
}

// Add implements action.Sink.
func (c *compacted) Add(list ...action.File) error {
	for i := range list {
		c.files = append(c.files, fileAction{add: &list[i]})
	}
	return nil
}

// Remove implements action.Sink.
func (c *compacted) Remove(r action.Remove) error {
	c.files = append(c.files, fileAction{remove: r})
	return nil
}

// Sidecar implements action.Sink.
func (c *compacted) Sidecar(action.Sidecar) error { return nil }

// Commit implements action.Sink.
func (c *compacted) Commit(action.Commit) error { return nil }

// applyTo gives the actions to a sink for which the last one of each file counts.
func (c *compacted) applyTo(r *replay) error {
	if c.protocol != nil {
		r.protocol = c.protocol
	}
	if c.metadata != nil {
		r.metadata = c.metadata
	}
	for i := len(c.files) - 1; i >= 0; i-- {
		a := c.files[i]
		var err error
		if a.add != nil {
			err = r.Add(*a.add)
		} else {
			err = r.Remove(a.remove)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
