package main

import (
	"bytes"
	"context"
	"database/sql"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

func serve(t *testing.T) *httptest.Server {
	t.Helper()
	db, err := sql.Open("parquet", "../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	server := httptest.NewServer(newReport(db))
	t.Cleanup(server.Close)
	return server
}

func TestPages(t *testing.T) {
	server := serve(t)
	tests := []struct {
		path string
		code int
		want string
	}{
		{"/?year=2014", 200, `id="days">365<`},
		{"/", 200, "Seattle, 2015"},
		{"/?year=x", 400, "no number"},
		{"/rain.svg?year=2012", 200, "<svg"},
		{"/temperature.svg?year=2012", 200, "<svg"},
		{"/weather.svg?year=2012", 200, "<svg"},
		{"/rain.svg?year=1900", 500, "cannot be made"},
		{"/nope", 404, ""},
	}
	for _, test := range tests {
		response, err := http.Get(server.URL + test.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || response.StatusCode != test.code || !strings.Contains(string(body), test.want) {
			t.Errorf("%s: %d %v\n%.300s", test.path, response.StatusCode, err, body)
		}
	}
}

// TestBrowser opens the page in a browser, follows a link, and looks at the picture: each
// chart has to be there in its colour.
func TestBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("there is no Chromium")
	}
	server := serve(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.WindowSize(900, 1200),
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, cancel := chromedp.NewContext(allocator)
	defer cancel()
	ctx, cancelTime := context.WithTimeout(ctx, 5*time.Minute)
	defer cancelTime()

	err := chromedp.Do(ctx,
		chromedp.Navigate(server.URL),
		chromedp.Click(chromedp.Search(`//a[text()="2014"]`)),
		chromedp.WaitVisible(chromedp.Search(`//h1[contains(text(), "2014")]`)),
	)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`Array.from(document.images).every(i => i.complete && i.naturalWidth > 0)`)); err != nil {
		t.Fatal(err)
	}
	title, err := chromedp.Run(ctx, chromedp.Title())
	if err != nil {
		t.Fatal(err)
	}
	rain, err := chromedp.Run(ctx, chromedp.Text("#rain"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(title, "2014") || rain != "1232.8 mm" {
		t.Errorf("the title is %q, the rain %q", title, rain)
	}
	look(t, picture)
}

// look checks that a picture has the colours of the charts.
func look(t *testing.T, picture []byte) {
	t.Helper()
	page, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[[3]uint8]int{}
	b := page.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			counts[colorAt(page, x, y)]++
		}
	}
	for name, want := range map[string]struct {
		color [3]uint8
		least int
	}{
		"bars":    {[3]uint8{blue.R, blue.G, blue.B}, 5000},
		"average": {[3]uint8{orange.R, orange.G, orange.B}, 500},
		"days":    {[3]uint8{gray.R, gray.G, gray.B}, 100},
	} {
		if n := counts[want.color]; n < want.least {
			t.Errorf("%d points have the colour of the %s, want %d", n, name, want.least)
		}
	}
	if white := counts[[3]uint8{255, 255, 255}]; white > b.Dx()*b.Dy()*95/100 {
		t.Errorf("the page of %v is blank but for %d points", b, b.Dx()*b.Dy()-white)
	}
}

func colorAt(page image.Image, x, y int) [3]uint8 {
	r, g, b, _ := page.At(x, y).RGBA()
	return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}
