package azure

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
)

// connect makes the client of a container with the first of these credentials that there are, as
// the Azure CLI and fsspec look for them: AZURE_STORAGE_CONNECTION_STRING, a key of the account in
// AZURE_STORAGE_KEY, a signature in AZURE_STORAGE_SAS_TOKEN, and else the SDK's default chain
// (environment, workload identity, managed identity, the CLI), which asks for tokens when they are
// needed and refreshes them.
func connect(p place, address string, anonymous bool, web *http.Client) (*container.Client, error) {
	options := &container.ClientOptions{ClientOptions: clientOptions(web)}
	key := cmp.Or(os.Getenv("AZURE_STORAGE_KEY"), os.Getenv("AZURE_STORAGE_ACCOUNT_KEY"))
	signature := strings.TrimPrefix(os.Getenv("AZURE_STORAGE_SAS_TOKEN"), "?")
	switch {
	case anonymous:
		return container.NewClientWithNoCredential(address, options)
	case os.Getenv("AZURE_STORAGE_CONNECTION_STRING") != "":
		c, err := container.NewClientFromConnectionString(os.Getenv("AZURE_STORAGE_CONNECTION_STRING"), p.container, options)
		if err != nil {
			return nil, errors.New("AZURE_STORAGE_CONNECTION_STRING is no connection string") // the error may show it
		}
		return c, nil
	case key != "":
		shared, err := container.NewSharedKeyCredential(p.account, key)
		if err != nil {
			return nil, errors.New("AZURE_STORAGE_KEY is no key: it is not base64")
		}
		return container.NewClientWithSharedKeyCredential(address, shared, options)
	case signature != "":
		return container.NewClientWithNoCredential(address+"?"+signature, options)
	}
	chain, err := azidentity.NewDefaultAzureCredential(&azidentity.DefaultAzureCredentialOptions{ClientOptions: tokenOptions(web)})
	if err != nil {
		return nil, fmt.Errorf("the credentials of Azure: %w", err)
	}
	return container.NewClient(address, chain, options)
}

// tokenOptions let the SDK repeat what asks for tokens.
func tokenOptions(web *http.Client) azcore.ClientOptions {
	return azcore.ClientOptions{Transport: web}
}
