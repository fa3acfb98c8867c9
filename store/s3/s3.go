// Package s3 reads Parquet files in buckets of Amazon S3 and of services with its API. Its import
// registers the schemes s3 and s3a:
//
//	import _ "github.com/parquetsql/parquetsql/store/s3"
//
//	sql.Open("parquet", "s3://bucket/prefix?region=eu-central-1")
//
// Credentials are those of the AWS SDK's usual chain (environment, shared files, SSO, web
// identity, ECS, EC2), which refreshes them. The version of an object is its ETag.
package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

func init() {
	s := storage.Scheme{Options: map[string]string{
		"region":         "the bucket's region; that of another region is found out with one more request",
		"endpoint":       "the address of another service with this API, `http://127.0.0.1:9000`",
		"path_style":     "`true` puts the bucket into the path and not into the host's name; by default so where there is an endpoint",
		"anonymous":      "`true` sends no credentials, for public buckets",
		"requester_pays": "`true` agrees to pay for the requests",
		"profile":        "the profile of the shared files of the AWS tools",
		"role":           "the ARN of a role that is assumed",
	}, Open: open, Granted: granted}
	storage.Register("s3", s)
	storage.Register("s3a", s)
}

// fallbackRegion is asked where no region is set: it answers where the bucket is.
const fallbackRegion = "us-east-1"

// settings are the options of a location, read.
type settings struct {
	values                              map[string]string
	pathStyle, anonymous, requesterPays bool
}

func read(options map[string]string) (s settings, err error) {
	s.values = options
	s.pathStyle = options["endpoint"] != ""
	for name, to := range map[string]*bool{"path_style": &s.pathStyle, "anonymous": &s.anonymous, "requester_pays": &s.requesterPays} {
		if text := options[name]; text != "" {
			if *to, err = strconv.ParseBool(text); err != nil {
				return s, fmt.Errorf("option %s: %q is neither true nor false", name, text)
			}
		}
	}
	return s, nil
}

func open(a storage.Address, options map[string]string) (storage.Root, error) {
	b, err := connect(a, options, nil)
	return rootOf(b, a), err
}

// rootOf is a bucket as a location; nil: it could not be opened.
func rootOf(b *bucket, a storage.Address) storage.Root {
	if b == nil {
		return storage.Root{}
	}
	return storage.Root{Store: remote.New(b, storage.Remote), Name: a.Path}
}

// connect opens a bucket. keys, unless nil, are instead of those of the usual chain.
func connect(a storage.Address, options map[string]string, keys aws.CredentialsProvider) (*bucket, error) {
	if a.Authority == "" {
		return nil, errors.New("the address has no bucket: s3://bucket/prefix")
	}
	set, err := read(options)
	if err != nil {
		return nil, err
	}
	found, web, err := load(set, keys)
	if err != nil {
		return nil, err
	}
	if keys != nil {
		found.Credentials = keys // without a cache: they are kept by who has them
	}
	b := &bucket{name: a.Authority, web: web, credentials: found.Credentials}
	if set.requesterPays {
		b.payer = types.RequestPayerRequester
	}
	b.region.Store(&found.Region)
	b.client = s3.NewFromConfig(found, func(o *s3.Options) {
		o.UsePathStyle = set.pathStyle
		o.Retryer = aws.NopRetryer{} // package remote repeats, and counts that
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		o.DisableLogOutputChecksumValidationSkipped = true
		if e := options["endpoint"]; e != "" {
			o.BaseEndpoint = &e
		}
	})
	return b, nil
}

// load reads the configuration that the AWS tools have, and what the options say instead. The
// SDK's client is set up as AWS_CA_BUNDLE says; of it only the transport is used.
func load(set settings, keys aws.CredentialsProvider) (aws.Config, *http.Client, error) {
	built := awshttp.NewBuildableClient()
	with := []func(*config.LoadOptions) error{config.WithHTTPClient(built)}
	if r := set.values["region"]; r != "" {
		with = append(with, config.WithRegion(r))
	}
	if p := set.values["profile"]; p != "" {
		with = append(with, config.WithSharedConfigProfile(p))
	}
	if set.anonymous {
		with = append(with, config.WithCredentialsProvider(aws.AnonymousCredentials{}))
	}
	if keys != nil {
		with = append(with, config.WithCredentialsProvider(keys))
	}
	found, err := config.LoadDefaultConfig(context.Background(), with...)
	if err != nil {
		return found, nil, fmt.Errorf("the configuration of the AWS tools: %w", err)
	}
	if b, ok := found.HTTPClient.(*awshttp.BuildableClient); ok {
		built = b
	}
	web := remote.ClientOver(built.GetTransport())
	web.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the region is asked again: see send
	found.HTTPClient = web
	if found.Region == "" {
		found.Region = fallbackRegion
	}
	if role := set.values["role"]; role != "" {
		found.Credentials = aws.NewCredentialsCache(stscreds.NewAssumeRoleProvider(sts.NewFromConfig(found), role))
	}
	return found, web, nil
}
