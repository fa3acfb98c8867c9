package gcs

import "testing"

// FuzzPage: any answer is a page whose sizes are possible, or an error.
func FuzzPage(f *testing.F) {
	f.Add([]byte(`{"kind":"storage#objects","items":[{"name":"a","size":"12","generation":"1","updated":"2024-01-02T03:04:05.678Z"}],"nextPageToken":"x"}`))
	f.Add([]byte(`{"items":[{"size":"-1"}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		p, err := page(body)
		if err != nil {
			return
		}
		for _, o := range p.Objects {
			if o.Size < 0 {
				t.Errorf("%+v", o)
			}
		}
	})
}
