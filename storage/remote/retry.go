package remote

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// A request is repeated after a random time of up to firstWait, twice that, and so on up to
// mostWait ("full jitter": Brooker, "Exponential Backoff And Jitter", 2015): about 15 seconds
// in all.
const (
	attempts  = 10
	firstWait = 50 * time.Millisecond
	mostWait  = 5 * time.Second
	// mostAsked bounds the time that a service may ask to wait.
	mostAsked = 30 * time.Second
)

// patience is how often a piece of work was repeated.
type patience struct{ failed int }

// again waits before the work is repeated, or returns the error that is final.
func (p *patience) again(ctx context.Context, err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind != Throttled && e.Kind != Unavailable {
		return err
	}
	if p.failed++; p.failed >= attempts {
		return err
	}
	most := min(mostWait, firstWait<<(p.failed-1))
	wait := rand.N(most) + min(e.After, mostAsked)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// progress forgets failures: the work goes on.
func (p *patience) progress() { p.failed = 0 }
