package s3

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/parquetsql/parquetsql/storage/remote"
)

// Put implements remote.Writer (PutObject; "Conditional writes" in the user's guide of Amazon S3).
func (b *bucket) Put(ctx context.Context, name string, data remote.Content, fresh bool) error {
	in := &s3.PutObjectInput{Bucket: &b.name, Key: &name, RequestPayer: b.payer}
	if fresh {
		in.IfNoneMatch = aws.String("*")
	}
	_, err := send(b, func() (*s3.PutObjectOutput, error) {
		in.Body = data.Reader()
		return b.client.PutObject(ctx, in, b.there)
	})
	if err != nil {
		return b.explained(ctx, err)
	}
	return nil
}

// Delete implements remote.Writer (DeleteObject).
func (b *bucket) Delete(ctx context.Context, name string) error {
	in := &s3.DeleteObjectInput{Bucket: &b.name, Key: &name, RequestPayer: b.payer}
	if _, err := send(b, func() (*s3.DeleteObjectOutput, error) { return b.client.DeleteObject(ctx, in, b.there) }); err != nil {
		return b.explained(ctx, err)
	}
	return nil
}

var _ remote.Writer = (*bucket)(nil)
