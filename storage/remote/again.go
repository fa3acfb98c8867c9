package remote

import "context"

// Again does a piece of work until it succeeds, or fails in a way that does not pass. It is for
// requests that may be repeated and are not of objects.
func Again[T any](ctx context.Context, work func() (T, error)) (T, error) {
	var p patience
	for {
		out, err := work()
		if err == nil {
			return out, nil
		}
		if err = p.again(ctx, err); err != nil {
			return out, err
		}
	}
}
