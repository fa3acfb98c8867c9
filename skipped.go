package parquetsql

import "log/slog"

// onSkip is what is told of each unit that OnCorruptSkip leaves out: OnSkip, or else the
// log, because a DSN has no functions and lost rows must not go unnoticed.
func (c *Config) onSkip() func(*CorruptError) {
	if c.OnSkip != nil || c.LogSkipped == "off" {
		return c.OnSkip
	}
	return func(err *CorruptError) {
		slog.Warn("parquetsql: on_corrupt=skip leaves out damaged data", "error", err, "file", err.File, "row_group", err.RowGroup, "column", err.Column, "offset", err.Offset)
	}
}
