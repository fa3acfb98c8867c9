package azure

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/streaming"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/to"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blockblob"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// Put implements remote.Writer (Put Blob).
func (b *blobs) Put(ctx context.Context, name string, data remote.Content, fresh bool) error {
	o := &blockblob.UploadOptions{}
	if fresh {
		o.AccessConditions = &blob.AccessConditions{ModifiedAccessConditions: &blob.ModifiedAccessConditions{IfNoneMatch: to.Ptr(azcore.ETagAny)}}
	}
	if _, err := b.client.NewBlockBlobClient(name).Upload(ctx, streaming.NopCloser(data.Reader()), o); err != nil {
		return explained(ctx, err)
	}
	return nil
}

// Delete implements remote.Writer (Delete Blob).
func (b *blobs) Delete(ctx context.Context, name string) error {
	_, err := b.client.NewBlobClient(name).Delete(ctx, nil)
	if err == nil {
		return nil
	}
	err = explained(ctx, err)
	if e := (*remote.Error)(nil); errors.As(err, &e) && e.Kind == remote.NotFound {
		return nil
	}
	return err
}

var _ remote.Writer = (*blobs)(nil)
