package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What the script of testdata/look.html finds on a page.
type look struct {
	Width, ScrollWidth int
	Wide               []string // elements that are wider than the page, other than in boxes that scroll
	Boxes              int      // that scroll
	Cut                []string // texts that do not fit into their chart
	Small              []string // texts of charts below 10 pixels
	Charts             string   // a digest of all of them
	Own                string   // the colour of Ashlar's bars
}

// A view is how somebody sees the page.
type view struct {
	width int
	theme string
}

// A browser shows the page as on a screen and on a phone, by day and by night, without a network.
func TestBrowsersShowThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here to show the page with")
	}
	page := html(t, invented(t)...)
	looks := make(map[view]look)
	if _, _, asked := (view{390, "light"}).show(t, chromium, strings.Replace(page, "<main>", `<main><img src="https://elsewhere.invalid/picture.png" alt="">`, 1)); len(asked) == 0 {
		t.Fatal("a page with a picture from elsewhere seems to ask for nothing")
	}
	for _, v := range []view{{1280, "light"}, {1280, "dark"}, {390, "light"}, {390, "dark"}} {
		t.Run(fmt.Sprintf("%d %s", v.width, v.theme), func(t *testing.T) {
			l, shot, asked := v.show(t, chromium, page)
			if len(asked) != 0 {
				t.Errorf("the page asks for %q", asked)
			}
			looks[v] = l
			if l.Width != v.width || l.ScrollWidth > l.Width || len(l.Wide) != 0 {
				t.Errorf("the page is %d wide in a window of %d; too wide are %d elements, such as %.300q", l.ScrollWidth, l.Width, len(l.Wide), l.Wide)
			}
			if l.Boxes < 50 {
				t.Errorf("%d boxes scroll", l.Boxes)
			}
			if len(l.Cut) != 0 {
				t.Errorf("%d texts are longer than their charts, such as %.300q", len(l.Cut), l.Cut)
			}
			if len(l.Small) != 0 {
				t.Errorf("%d texts are too small, such as %.300q", len(l.Small), l.Small)
			}
			checkShot(t, v, shot)
		})
	}
	day, night := looks[view{1280, "light"}], looks[view{1280, "dark"}]
	if day.Charts != night.Charts || day.Charts != looks[view{390, "dark"}].Charts {
		t.Errorf("the charts are not the same by day and by night: %s and %s", day.Charts, night.Charts)
	}
	if day.Own == night.Own {
		t.Errorf("Ashlar's bars are %s by day and by night", day.Own)
	}
}

// show has a browser show the page in a frame, since a window cannot be as narrow as a phone.
func (v view) show(t *testing.T, chromium, page string) (look, image.Image, []string) {
	t.Helper()
	forced := strings.Replace(page, `<html lang="en">`, fmt.Sprintf(`<html lang="en" data-theme=%q>`, v.theme), 1)
	if forced == page {
		t.Fatal("the page has no html element that a theme can be forced on")
	}
	folder := t.TempDir()
	file, picture, log := filepath.Join(folder, "look.html"), filepath.Join(folder, "shot.png"), filepath.Join(folder, "net.json")
	frame, err := template.ParseFiles("testdata/look.html")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := frame.Execute(&b, map[string]any{"Width": v.width, "Page": template.HTML(stdhtml.EscapeString(forced))}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{
		"--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--force-device-scale-factor=1",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
		"--host-resolver-rules=MAP * ~NOTFOUND", "--log-net-log=" + log, "--enable-logging=stderr",
		"--user-data-dir=" + filepath.Join(folder, "profile"), "--timeout=60000",
		fmt.Sprintf("--window-size=%d,2000", max(v.width, 500)), "--screenshot=" + picture, "--dump-dom", "file://" + file,
	}
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // which root cannot have
	}
	var stdout, stderr bytes.Buffer
	run := exec.CommandContext(ctx, chromium, args...)
	run.Stdout, run.Stderr = &stdout, &stderr
	if err := run.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the page complains: %s", line)
		}
	}
	_, rest, _ := strings.Cut(stdout.String(), "<pre hidden=\"\">")
	text, _, ok := strings.Cut(rest, "</pre>")
	var l look
	if err := json.Unmarshal([]byte(stdhtml.UnescapeString(text)), &l); !ok || err != nil {
		t.Fatalf("the page was not looked at: %v\n%.500s", err, text)
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	shot, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return l, shot, requests(t, log)
}

// requests are what the page has asked the network for, by the browser's log. What the browser asks for on its own
// account, such as its updates, has no page that began it.
func requests(t *testing.T, log string) []string {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var entries struct {
		Events []struct {
			Params struct {
				Initiator, URL string
			}
		}
	}
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatalf("%s: %v", log, err)
	}
	var all []string
	for _, e := range entries.Events {
		p := e.Params
		own := p.Initiator == "" || p.Initiator == "not an origin" || strings.HasPrefix(p.Initiator, "chrome")
		if !own && !strings.HasPrefix(p.URL, "file:") && !strings.HasPrefix(p.URL, "data:") {
			all = append(all, p.URL)
		}
	}
	return all
}

// checkShot says that a picture shows something, on a ground of the theme's.
func checkShot(t *testing.T, v view, shot image.Image) {
	t.Helper()
	if size := shot.Bounds().Size(); size.X < v.width || size.Y < 1500 {
		t.Fatalf("the picture has %v pixels", size)
	}
	colours, pixels := make(map[color.Color]int), 0
	for y := range 1500 {
		for x := range v.width {
			colours[shot.At(x, y)]++
			pixels++
		}
	}
	most := 0
	for _, n := range colours {
		most = max(most, n)
	}
	if len(colours) < 50 || float64(most) > 0.97*float64(pixels) {
		t.Errorf("the picture has %d colours, and %d of %d pixels are of one", len(colours), most, pixels)
	}
	ground := color.GrayModel.Convert(shot.At(2, 2)).(color.Gray).Y
	if dark := ground < 64; dark != (v.theme == "dark") || !dark && ground < 192 {
		t.Errorf("the ground of the %s page has the brightness %d of 255", v.theme, ground)
	}
}
