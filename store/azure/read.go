package azure

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// Get implements remote.Service (Get Blob). The service knows no ranges that count from the end: see
// tail.
func (b *blobs) Get(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	if r.Off < 0 {
		return b.tail(ctx, r)
	}
	o := &blob.DownloadStreamOptions{Range: blob.HTTPRange{Offset: r.Off, Count: r.N}}
	if r.Version != "" {
		o.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfMatch: to.Ptr(azcore.ETag(r.Version))}}
	}
	out, err := b.client.NewBlobClient(r.Name).DownloadStream(ctx, o)
	if err != nil {
		return nil, explained(ctx, err)
	}
	a := &remote.Answer{Body: out.Body, Version: text(out.ETag), Time: when(out.LastModified)}
	if out.ContentRange == nil { // all of it
		if out.ContentLength != nil {
			a.Size = *out.ContentLength
		}
		return a, nil
	}
	if a.Off, a.Size, err = remote.ContentRange(*out.ContentRange); err != nil {
		_ = out.Body.Close() // it is not wanted
		return nil, err
	}
	return a, nil
}

// firstBytes is how much of the beginning of a blob is asked for where its end is wanted, and its size is not
// known: of a small blob that is all, and of another as little as comes while the next request begins.
const firstBytes = 128 << 10

// tail reads the end of a blob: in one request if it is small, else in two.
func (b *blobs) tail(ctx context.Context, r remote.Range) (*remote.Answer, error) {
	if r.N > 1 {
		a, err := b.Get(ctx, remote.Range{Name: r.Name, N: min(r.N, firstBytes)})
		var e *remote.Error
		switch {
		case err == nil && a.Size <= min(r.N, firstBytes):
			return a, nil
		case err == nil:
			_, _ = io.Copy(io.Discard, a.Body) // so that the connection can be used again
			_ = a.Body.Close()
			n := min(r.N, a.Size)
			return b.Get(ctx, remote.Range{Name: r.Name, Version: a.Version, Off: a.Size - n, N: n})
		case !errors.As(err, &e) || e.Kind != remote.Changed: // that is: an empty blob has no such range
			return nil, err
		}
	}
	p, err := b.client.NewBlobClient(r.Name).GetProperties(ctx, nil)
	if err != nil {
		return nil, explained(ctx, err)
	}
	a := &remote.Answer{Body: http.NoBody, Version: text(p.ETag), Time: when(p.LastModified)}
	if p.ContentLength != nil {
		a.Size = *p.ContentLength
	}
	a.Off = a.Size // who asks for one byte wants the description
	return a, nil
}

func text(tag *azcore.ETag) string {
	if tag == nil {
		return ""
	}
	return string(*tag)
}

func when(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// List implements remote.Service (List Blobs).
func (b *blobs) List(ctx context.Context, l remote.Listing) (*remote.Page, error) {
	var after *string
	if l.After != "" {
		after = &l.After
	}
	include := container.ListBlobsInclude{Metadata: true}
	if l.Flat {
		out, err := b.client.NewListBlobsFlatPager(&container.ListBlobsFlatOptions{Prefix: &l.Prefix, Marker: after, Include: include}).NextPage(ctx)
		if err != nil {
			return nil, explained(ctx, err)
		}
		return page(out.Segment.BlobItems, out.NextMarker), nil
	}
	out, err := b.client.NewListBlobsHierarchyPager("/", &container.ListBlobsHierarchyOptions{Prefix: &l.Prefix, Marker: after, Include: include}).NextPage(ctx)
	if err != nil {
		return nil, explained(ctx, err)
	}
	return page(out.Segment.BlobItems, out.NextMarker), nil
}

func page(items []*container.BlobItem, next *string) *remote.Page {
	out := &remote.Page{}
	if next != nil {
		out.Next = *next
	}
	for _, i := range items {
		if i == nil || i.Name == nil || i.Properties == nil || i.Properties.ContentLength == nil || isFolder(i.Metadata) {
			continue
		}
		p := i.Properties
		version := text(p.ETag)
		if version != "" && version[0] != '"' { // listings have it without quotes
			version = `"` + version + `"`
		}
		out.Objects = append(out.Objects, remote.Object{Name: *i.Name, Size: *p.ContentLength, Version: version, Time: when(p.LastModified)})
	}
	return out
}

// isFolder reports whether a blob stands for a folder of a Data Lake.
func isFolder(metadata map[string]*string) bool {
	for _, name := range []string{"hdi_isfolder", "Hdi_isfolder"} {
		if v := metadata[name]; v != nil && *v == "true" {
			return true
		}
	}
	return false
}
