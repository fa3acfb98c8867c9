package gcs

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// Put implements remote.Writer (Objects: insert, with uploadType=media).
func (b *bucket) Put(ctx context.Context, name string, data remote.Content, fresh bool) error {
	query := url.Values{"uploadType": {"media"}, "name": {name}}
	if fresh {
		query.Set("ifGenerationMatch", "0")
	}
	return b.change(ctx, asked{method: http.MethodPost, below: uploads, query: query, content: &data})
}

// Delete implements remote.Writer (Objects: delete).
func (b *bucket) Delete(ctx context.Context, name string) error {
	err := b.change(ctx, asked{method: http.MethodDelete, below: reads, object: name, query: url.Values{}})
	if e := (*remote.Error)(nil); errors.As(err, &e) && e.Kind == remote.NotFound {
		return nil
	}
	return err
}

// change sends a request whose answer is not read.
func (b *bucket) change(ctx context.Context, a asked) error {
	_, err := send(ctx, b, a, func(req *http.Request) (struct{}, error) {
		resp, err := b.client.Do(req)
		if err != nil {
			return struct{}{}, remote.OfTransport(ctx, err)
		}
		if resp.StatusCode/100 != 2 {
			return struct{}{}, remote.Refusal(resp, refused)
		}
		return struct{}{}, resp.Body.Close()
	})
	return err
}

var _ remote.Writer = (*bucket)(nil)
