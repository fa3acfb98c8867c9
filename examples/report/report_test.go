package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/csv"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "the folder that the screenshots are written to")

var readme = flag.Bool("readme", false, "write report.png, the picture of the README")

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

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body)
}

// TestPages asks for pages. The numbers are DuckDB's answers to the same questions.
func TestPages(t *testing.T) {
	server := serve(t)
	for _, test := range []struct {
		path string
		code int
		want []string
	}{
		{"/", 200, []string{`id="films">3,118<`, `id="gross">$270.8 bn<`, "Avatar"}},
		{"/?genre=Horror&from=1990&to=1999", 200, []string{`id="films">44<`, "The Blair Witch Project", "films.csv?from=1990&amp;genre=Horror&amp;to=1999"}},
		{"/?genre=%3Cscript%3E", 200, []string{"No film is of this kind", "&lt;script&gt;"}},
		{"/?from=x", 400, []string{`role="alert"`, "from 1960 to 2010"}},
		{"/?from=2000&to=1990", 400, []string{"the first before the last"}},
		{"/chart.js", 200, []string{"Chart.js v4"}},
		{"/report.css", 200, []string{"prefers-color-scheme"}},
		{"/films.csv?to=1x", 400, []string{"years are numbers"}},
		{"/page.html", 404, nil},
	} {
		code, body := get(t, server.URL+test.path)
		if code != test.code {
			t.Errorf("%s: %d", test.path, code)
		}
		for _, want := range test.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s has no %s", test.path, want)
			}
		}
		if strings.Contains(body, "<script>") {
			t.Errorf("%s: a value of the address is an element", test.path)
		}
	}
}

func TestDownload(t *testing.T) {
	code, body := get(t, serve(t).URL+"/films.csv?genre=Western")
	rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if code != 200 || err != nil || len(rows) != 1+36 || rows[1][0] != "Dances with Wolves" || rows[1][4] != "424.2" {
		t.Errorf("%d, %d rows, %v, %v", code, len(rows), rows[:min(2, len(rows))], err)
	}
}

// TestNoFile checks that a report without its file is a page that says so.
func TestNoFile(t *testing.T) {
	db, err := sql.Open("parquet", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	server := httptest.NewServer(newReport(db))
	defer server.Close()
	if code, body := get(t, server.URL); code != 500 || !strings.Contains(body, "cannot be made at the moment") {
		t.Errorf("%d %s", code, body)
	}
}

// looks are the screens on which the report is looked at.
var looks = []struct {
	scheme        string
	width, height int64
}{
	{"light", 1200, 900},
	{"dark", 1200, 900},
	{"light", 390, 800},
	{"dark", 390, 800},
}

// TestBrowser looks at the page on wide and narrow screens, in light and dark: charts are drawn,
// nothing lies over something else or leads out of the screen, texts have contrast. With -readme it writes the
// picture of the README.
func TestBrowser(t *testing.T) {
	ctx := browser(t)
	server := serve(t)
	for _, look := range looks {
		t.Run(fmt.Sprintf("%s %d", look.scheme, look.width), func(t *testing.T) {
			err := chromedp.Do(ctx,
				chromedp.EmulateViewport(look.width, look.height),
				chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
					scheme := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}
					_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: scheme})
					return err
				}),
				chromedp.Navigate(server.URL+"/?from=1980"),
			)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`typeof Chart !== "undefined" && ["years", "genres", "ratings", "spent"].every(id => Chart.getChart(id))`)); err != nil {
				t.Fatal(err)
			}
			faults, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](inspect))
			if err != nil {
				t.Fatal(err)
			}
			for _, fault := range faults {
				t.Error(fault)
			}
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			drawn(t, picture, look.scheme == "dark")
			if *pictures != "" {
				name := filepath.Join(*pictures, fmt.Sprintf("report-%s-%d.png", look.scheme, look.width))
				if err := os.WriteFile(name, picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if *readme && look == looks[0] {
				end, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelector("section").offsetTop`))
				if err != nil {
					t.Fatal(err)
				}
				writeReadme(t, picture, end)
			}
		})
	}
	// A filter is chosen, and the address keeps it.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1200, 900), chromedp.Navigate(server.URL)); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.querySelector("select[name=genre]").value = "Horror"`)); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.Search("//button")), chromedp.WaitVisible(chromedp.Search(`//p[contains(., ", Horror")]`))); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.getElementById("films")?.innerText === "219" && typeof Chart !== "undefined" && !!Chart.getChart("years")`)); err != nil {
		t.Fatal(err)
	}
	address, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil || !strings.Contains(address, "genre=Horror") {
		t.Errorf("the address is %q, %v", address, err)
	}
	tooltip, err := chromedp.Run(ctx, chromedp.Evaluate[string](hover))
	if err != nil || !strings.Contains(tooltip, "billion, ") {
		t.Errorf("a point of the chart says %q, %v", tooltip, err)
	}
}

// hover presses an arrow key on a chart and returns what its tooltip says.
const hover = `(() => {
	const canvas = document.getElementById("years");
	canvas.focus();
	canvas.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
	return Chart.getChart(canvas).tooltip.body.map(b => b.lines.join(" ")).join(" ");
})()`

// inspect returns what is wrong with the layout. Contrast is that of WCAG 2.1, success criterion
// 1.4.3: 4.5 to 1, of large texts 3 to 1.
const inspect = `(() => {
	const faults = [];
	if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is " + document.documentElement.scrollWidth + " wide, the screen " + innerWidth);
	const rgb = text => text.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => [r, g, b].map(c => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((s, c, i) => s + c * [0.2126, 0.7152, 0.0722][i], 0);
	const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
	const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
	const blocks = [...document.querySelectorAll("header, .tiles div, figure, section, footer")].map(e => [e, e.getBoundingClientRect()]);
	for (const [e, a] of blocks) for (const [f, b] of blocks)
		if (e !== f && !e.contains(f) && !f.contains(e) && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
			faults.push(e.tagName + " " + e.innerText.slice(0, 20) + " lies over " + f.tagName + " " + f.innerText.slice(0, 20));
	for (const e of document.querySelectorAll("body *")) {
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.offsetParent || e.tagName === "SCRIPT") continue;
		const style = getComputedStyle(e), size = parseFloat(style.fontSize);
		const found = ratio(rgb(style.color), ground(e)), least = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
		if (found < least) faults.push("the contrast of " + e.innerText.slice(0, 30) + " is " + found.toFixed(2));
	}
	const root = getComputedStyle(document.documentElement), card = root.getPropertyValue("--card"), hex = c => [1, 3, 5].map(i => parseInt(c.trim().slice(i, i + 2), 16));
	for (const name of ["--one", "--two", "--quiet"])
		if (ratio(hex(root.getPropertyValue(name)), hex(card)) < 3) faults.push("the contrast of " + name + " in charts is too low");
	for (const e of document.querySelectorAll("canvas, select, a, button, .scroll")) {
		if (e.tabIndex < 0) faults.push(e.tagName + " cannot be reached by the keyboard");
		if (e.tagName === "CANVAS" && !document.getElementById(e.getAttribute("aria-labelledby"))) faults.push(e.id + " has no name");
		if (e.tagName === "SELECT" && !e.labels.length) faults.push(e.name + " has no label");
	}
	return faults;
})()`

// browser starts Chromium.
func browser(t *testing.T) context.Context {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no Chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.UserDataDir(t.TempDir()), chromedp.WSURLReadTimeout(time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancelTime)
	return ctx
}

// writeReadme writes the part of a screenshot that is above a line.
func writeReadme(t *testing.T, picture []byte, end int) {
	t.Helper()
	page, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	top := image.NewRGBA(image.Rect(0, 0, page.Bounds().Dx(), end))
	draw.Draw(top, top.Bounds(), page, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, top); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("report.png", out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// drawn checks that a picture has the colours of the charts.
func drawn(t *testing.T, picture []byte, dark bool) {
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
	bars, line := [3]uint8{0x1f, 0x6f, 0xb2}, [3]uint8{0xb3, 0x54, 0x1e}
	if dark {
		bars, line = [3]uint8{0x5a, 0xa9, 0xe6}, [3]uint8{0xf0, 0xa0, 0x67}
	}
	if counts[bars] < 5000 || counts[line] < 50 {
		t.Errorf("of %v, %d points have the colour of the bars, %d that of the line", b, counts[bars], counts[line])
	}
}

func colorAt(page image.Image, x, y int) [3]uint8 {
	r, g, b, _ := page.At(x, y).RGBA()
	return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
}
