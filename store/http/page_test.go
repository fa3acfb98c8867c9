package http

import (
	"strings"
	"testing"
)

// FuzzHubPage: any answer is a page of possible sizes below the prefix, or an error.
func FuzzHubPage(f *testing.F) {
	f.Add([]byte(`[{"type":"file","oid":"x","size":12,"path":"data/a.parquet"},{"type":"directory","oid":"y","size":0,"path":"data"}]`), "data/")
	f.Add([]byte(`[{"type":"file","size":-1,"path":"data/a"}]`), "")
	f.Fuzz(func(t *testing.T, body []byte, prefix string) {
		p, err := hubPage(body, prefix, "c")
		if err != nil {
			return
		}
		for _, o := range p.Objects {
			if o.Size < 0 || !strings.HasPrefix(o.Name, prefix) {
				t.Errorf("%+v", o)
			}
		}
	})
}

// TestNextLink: the address of the next page (RFC 8288, section 3.5 has such headers).
func TestNextLink(t *testing.T) {
	for header, want := range map[string]string{
		`<https://huggingface.co/api/x?cursor=a%3D>; rel="next"`:                     "https://huggingface.co/api/x?cursor=a%3D",
		`<http://example.com/1>; rel="previous", <http://example.com/3>; rel="next"`: "http://example.com/3",
		`<http://example.com/1>; rel="previous"`:                                     "",
		"":                                                                           "",
	} {
		if got := nextLink(header); got != want {
			t.Errorf("%s: %q", header, got)
		}
	}
}
