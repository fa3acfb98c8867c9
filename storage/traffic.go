package storage

import (
	"context"
	"sync/atomic"
)

// Traffic counts what a query asks of remote stores. It may be read while the query runs.
type Traffic struct {
	Requests atomic.Int64 // with those that were repeated
	Bytes    atomic.Int64 // of bodies that came
	Cached   atomic.Int64 // bytes that a cache had
	Retries  atomic.Int64 // requests that repeat one, or go on where a body ended too early
}

type trafficKey struct{}

// WithTraffic is a context whose requests count in t.
func WithTraffic(ctx context.Context, t *Traffic) context.Context {
	return context.WithValue(ctx, trafficKey{}, t)
}

// TrafficOf is what requests with the context count in. It is never nil.
func TrafficOf(ctx context.Context) *Traffic {
	if t, ok := ctx.Value(trafficKey{}).(*Traffic); ok {
		return t
	}
	return &Traffic{}
}
