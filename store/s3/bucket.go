package s3

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// bucket is a remote.Service of a bucket.
type bucket struct {
	name        string
	client      *s3.Client
	web         *http.Client
	credentials aws.CredentialsProvider
	payer       types.RequestPayer
	region      atomic.Pointer[string] // as last found out
	denied      string                 // what helps where who asks may not; "": what always does
}

// Address implements remote.Service.
func (b *bucket) Address(name string) string { return "s3://" + b.name + "/" + name }

// there asks in the bucket's region.
func (b *bucket) there(o *s3.Options) { o.Region = *b.region.Load() }

// send sends a request, and sends it once more where the first has found out the region, or that
// the credentials have expired before their time.
func send[T any](b *bucket, request func() (T, error)) (T, error) {
	out, err := request()
	if err == nil {
		return out, nil
	}
	if region := regionOf(err); region != "" && region != *b.region.Load() {
		b.region.Store(&region)
	} else if !b.renew(err) {
		return out, err
	}
	return request()
}

// renew forgets credentials that the service takes no more; false where that is not what is
// wrong, or there are no others.
func (b *bucket) renew(err error) bool {
	if granted, ok := b.credentials.(*grantedKeys); ok {
		return granted.renew(err)
	}
	cache, ok := b.credentials.(interface{ Invalidate() })
	if !ok || kindOf(err) != remote.Expired {
		return false
	}
	cache.Invalidate()
	return true
}

// Get implements remote.Service.
func (b *bucket) Get(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	in := &s3.GetObjectInput{Bucket: &b.name, Key: &r.Name, Range: aws.String(r.Header()), RequestPayer: b.payer}
	if r.Version != "" {
		in.IfMatch = aws.String(`"` + r.Version + `"`)
	}
	out, err := send(b, func() (*s3.GetObjectOutput, error) { return b.client.GetObject(ctx, in, b.there) })
	if err != nil {
		if statusOf(err) == http.StatusRequestedRangeNotSatisfiable && r.Off <= 0 {
			return b.short(ctx, r)
		}
		return nil, b.explained(ctx, err)
	}
	a := &remote.Answer{Body: out.Body, Version: tag(out.ETag), Time: aws.ToTime(out.LastModified)}
	if out.ContentRange == nil { // all of it
		a.Size = aws.ToInt64(out.ContentLength)
		return a, nil
	}
	if a.Off, a.Size, err = remote.ContentRange(*out.ContentRange); err != nil {
		_ = out.Body.Close() // it is not wanted
		return nil, err
	}
	return a, nil
}

// short answers for an object that does not have the range: some services refuse to send the end
// of one that is shorter than the end that is asked for, and of an empty one there is no range.
func (b *bucket) short(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	if r.Off < 0 {
		r.Off = 0
		return b.Get(ctx, r)
	}
	return &remote.Answer{Body: http.NoBody, Version: r.Version}, nil
}

// tag is an ETag without its quotes: some services leave them out of listings.
func tag(s *string) string { return strings.Trim(aws.ToString(s), `"`) }

// List implements remote.Service (ListObjectsV2).
func (b *bucket) List(ctx context.Context, l remote.Listing) (*remote.Page, error) {
	in := &s3.ListObjectsV2Input{Bucket: &b.name, Prefix: &l.Prefix, RequestPayer: b.payer}
	if !l.Flat {
		in.Delimiter = aws.String("/")
	}
	if l.After != "" {
		in.ContinuationToken = &l.After
	}
	if l.From != "" {
		in.StartAfter = aws.String(before(l.From))
	}
	out, err := send(b, func() (*s3.ListObjectsV2Output, error) { return b.client.ListObjectsV2(ctx, in, b.there) })
	if err != nil {
		return nil, b.explained(ctx, err)
	}
	page := &remote.Page{Objects: make([]remote.Object, 0, len(out.Contents))}
	for _, o := range out.Contents {
		page.Objects = append(page.Objects, remote.Object{
			Name: aws.ToString(o.Key), Size: aws.ToInt64(o.Size), Version: tag(o.ETag), Time: cmp.Or(o.LastModified, &time.Time{}).UTC(),
		})
	}
	if aws.ToBool(out.IsTruncated) {
		page.Next = aws.ToString(out.NextContinuationToken)
	}
	return page, nil
}

// Seeks implements remote.Seeker. Directory buckets list in no order, and from nowhere.
func (b *bucket) Seeks() bool { return !strings.HasSuffix(b.name, "--x-s3") }

// before is a name before one that ends with a character of ASCII, with no name between them that
// anybody has: listings begin after a name.
func before(name string) string {
	last := len(name) - 1
	return name[:last] + string(rune(name[last]-1)) + string(utf8.MaxRune)
}

// Close lets go of idle connections.
func (b *bucket) Close() error {
	b.web.CloseIdleConnections()
	return nil
}

var (
	_ remote.Service = (*bucket)(nil)
	_ remote.Seeker  = (*bucket)(nil)
	_ io.Closer      = (*bucket)(nil)
)
