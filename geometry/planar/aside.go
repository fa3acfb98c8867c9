package planar

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// work gets the amount of work that may take long, see Shape.Work.
type work = func(n int) error

const (
	// many is the number of bytes from which geometries are computed aside: 500 positions, which
	// take a few hundred microseconds at least, and seconds where all edges cross each other.
	many = 8 << 10
	// lookEvery is how often the one who waits looks whether it still should, and lookWork is the
	// work that is done meanwhile.
	lookEvery = 10 * time.Millisecond
	lookWork  = int(lookEvery / (20 * time.Nanosecond))
)

// errLibrary is the error of a geometry with which the library cannot compute.
var errLibrary = errors.New("the geometries cannot be computed; ask ST_IsValid whether they are valid")

// guarded runs the library on shapes. It panics on some geometries that are not valid: such a
// panic is an error of the geometry and not of the program. An error of the first shape's Work ends
// the call; f is given a function to tell of work while it runs.
func guarded[T any](f func(work) (T, error), shapes ...*Shape) (T, error) {
	var tell work
	size := 0
	for _, s := range shapes {
		if size += len(s.bytes); tell == nil {
			tell = s.Work
		}
	}
	switch {
	case tell == nil:
		return recovered(f, func(int) error { return nil })
	case size >= many:
		return aside(f, tell)
	}
	var stop error
	result, err := recovered(f, func(n int) error {
		stop = tell(n)
		return stop
	})
	if stop != nil {
		err = stop
	}
	return result, err
}

// recovered makes an error of a panic.
func recovered[T any](f func(work) (T, error), tell work) (result T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w (%v)", errLibrary, v)
		}
	}()
	if result, err = f(tell); err != nil {
		err = fmt.Errorf("%w (%w)", errLibrary, err)
	}
	return result, err
}

// errStopped ends what nobody waits for.
var errStopped = errors.New("stopped")

// left is how many calls go on although nobody waits for them. The library cannot be interrupted,
// and each such call takes a processor: where they take all, one more is waited for.
var left atomic.Int32

// aside runs f on a goroutine of its own, because a call of the library may take seconds, and
// returns an error of work at once. f goes on until its end then, or until it tells of work: it must
// not use memory that is given to others meanwhile.
func aside[T any](f func(work) (T, error), tell work) (result T, err error) {
	var stop atomic.Bool
	done := make(chan struct{})
	var late T
	var lateErr error
	go func() {
		defer close(done)
		late, lateErr = recovered(f, func(int) error {
			if stop.Load() {
				return errStopped
			}
			return nil
		})
	}()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return late, lateErr
		case <-tick.C:
			if err := tell(lookWork); err != nil {
				stop.Store(true)
				leave(done)
				return result, err
			}
		}
	}
}

// leave returns at once, unless calls that were left take all processors.
func leave(done <-chan struct{}) {
	if int(left.Add(1)) > runtime.GOMAXPROCS(0) {
		<-done
		left.Add(-1)
		return
	}
	go func() {
		<-done
		left.Add(-1)
	}()
}
