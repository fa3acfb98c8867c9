// Package sigv4 signs the requests of package iceberg as the services of Amazon want them. Its import
// is what the option sigv4=true needs:
//
//	import _ "github.com/parquetsql/parquetsql/iceberg/sigv4"
//
//	sql.Open("parquet", "iceberg://glue.eu-central-1.amazonaws.com/123456789012?endpoint=https://glue.eu-central-1.amazonaws.com/iceberg&sigv4=true&signing_name=glue")
//
// Credentials are those of the AWS SDK's usual chain, which refreshes them.
package sigv4

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"github.com/parquetsql/parquetsql/iceberg"
)

func init() { iceberg.RegisterSigner(newSigner) }

// defaultName is the service in signatures where nothing says another, as in other clients.
const defaultName = "execute-api"

// noBody is the SHA-256 of the body that requests have.
const noBody = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func newSigner(options map[string]string) (iceberg.Signer, error) {
	var with []func(*config.LoadOptions) error
	if r := options["signing_region"]; r != "" {
		with = append(with, config.WithRegion(r))
	}
	found, err := config.LoadDefaultConfig(context.Background(), with...)
	if err != nil {
		return nil, fmt.Errorf("the configuration of the AWS tools: %w", err)
	}
	if found.Region == "" {
		return nil, errors.New("option signing_region: the signature needs a region, and the AWS tools have none")
	}
	return signer(found, cmp.Or(options["signing_name"], defaultName), time.Now), nil
}

func signer(found aws.Config, name string, now func() time.Time) iceberg.Signer {
	signs := v4.NewSigner()
	return func(req *http.Request) error {
		keys, err := found.Credentials.Retrieve(req.Context())
		if err != nil {
			return fmt.Errorf("no credentials were found where the AWS tools look for them: %w", err)
		}
		return signs.SignHTTP(req.Context(), keys, req, noBody, name, found.Region, now())
	}
}
