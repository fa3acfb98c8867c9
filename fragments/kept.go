package fragments

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"
)

// idleTime is how long a plan is kept that nobody uses.
const idleTime = time.Minute

// keptPlans are plans that further fragments of the same queries use. Several goroutines may use them.
type keptPlans struct {
	mu     sync.Mutex
	plans  []*keptPlan // the one that was used last is at the end
	closed bool
}

// keptPlan is a plan with its users. Whoever is the first makes it, and the others wait for ready.
type keptPlan struct {
	key   string
	ready chan struct{}
	made  *made
	err   error // of making it
	users int
	gone  bool        // it is no longer in the list: the last user closes it
	timer *time.Timer // closes it when it is idle; nil while it is used
}

// keyOf is the same for fragments of one run of a query.
func keyOf(f *Fragment) (string, error) {
	query := *f
	query.Stage, query.Task, query.Splits, query.DependsOn = 0, 0, nil, nil
	key, err := json.Marshal(query)
	return string(key), err
}

// use gives a plan to f, which is made if there is none. So many idle ones stay afterwards.
func (k *keptPlans) use(ctx context.Context, of *Fragment, most int, plan func() (*made, error), f func(*made) error) error {
	key, err := keyOf(of)
	if err != nil {
		return err
	}
	for {
		p, first := k.get(key)
		if first {
			k.make(p, most, plan)
		}
		select {
		case <-p.ready:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), k.done(p, most))
		}
		if p.err == nil {
			return k.run(p, most, f)
		}
		err := p.err
		if closing := k.done(p, most); first || ctx.Err() != nil || closing != nil {
			return errors.Join(err, closing)
		}
		// Another one's context may have ended: its error need not be that of this fragment.
	}
}

// make makes a plan. Who waits for it hears of a panic, which the caller may recover from.
func (k *keptPlans) make(p *keptPlan, most int, plan func() (*made, error)) {
	whole := false
	defer func() {
		if !whole {
			p.err = errors.New("internal error: planning the query ended in a panic")
		}
		close(p.ready)
		if !whole {
			_ = k.done(p, most)
		}
	}()
	p.made, p.err = plan()
	whole = true
}

// run gives a plan to f, and ends the use also if f panics.
func (k *keptPlans) run(p *keptPlan, most int, f func(*made) error) (err error) {
	defer func() { err = errors.Join(err, k.done(p, most)) }()
	return f(p.made)
}

// get is the plan of a key. first says that the caller makes it.
func (k *keptPlans) get(key string) (p *keptPlan, first bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	at := slices.IndexFunc(k.plans, func(p *keptPlan) bool { return p.key == key })
	if at < 0 {
		p, first = &keptPlan{key: key, ready: make(chan struct{})}, true
	} else {
		p = k.plans[at]
		k.plans = slices.Delete(k.plans, at, at+1)
	}
	k.plans = append(k.plans, p)
	if p.users++; p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	return p, first
}

// done ends a use. Of the idle plans the last ones stay; one that could not be made does not.
func (k *keptPlans) done(p *keptPlan, most int) error {
	k.mu.Lock()
	p.users--
	if k.closed {
		most = 0
	}
	failed := false
	select {
	case <-p.ready:
		failed = p.err != nil
	default:
	}
	if failed {
		k.take(p)
	}
	var over []*keptPlan
	for i := len(k.plans) - 1; i >= 0; i-- {
		switch o := k.plans[i]; {
		case o.users > 0:
		case most > 0:
			if most--; o.timer == nil {
				o.timer = time.AfterFunc(idleTime, func() { k.expire(o) })
			}
		default:
			over = append(over, o)
		}
	}
	for _, o := range over {
		k.take(o)
	}
	if p.gone && p.users == 0 && !slices.Contains(over, p) {
		over = append(over, p)
	}
	k.mu.Unlock()
	return closeAll(over)
}

// take takes a plan off the list.
func (k *keptPlans) take(p *keptPlan) {
	p.gone = true
	k.plans = slices.DeleteFunc(k.plans, func(o *keptPlan) bool { return o == p })
	if p.timer != nil {
		p.timer.Stop()
	}
}

// expire closes a plan that nobody has used for long.
func (k *keptPlans) expire(p *keptPlan) {
	k.mu.Lock()
	idle := p.users == 0 && !p.gone
	if idle {
		k.take(p)
	}
	k.mu.Unlock()
	if idle {
		_ = closeAll([]*keptPlan{p}) // nobody is there to hear of it
	}
}

// close closes all idle plans; those in use are closed by their last users.
func (k *keptPlans) close() error {
	k.mu.Lock()
	k.closed = true
	var idle []*keptPlan
	for _, p := range slices.Clone(k.plans) {
		if p.users == 0 {
			k.take(p)
			idle = append(idle, p)
		}
	}
	k.mu.Unlock()
	return closeAll(idle)
}

func closeAll(list []*keptPlan) (err error) {
	for _, p := range list {
		if p.made != nil {
			err = errors.Join(err, p.made.Close())
		}
	}
	return err
}
