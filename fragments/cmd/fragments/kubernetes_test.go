package main

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/parquetsql/parquetsql/fragments"
)

// manifest is what the test looks at of an object of Kubernetes.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		Replicas int `yaml:"replicas"`
		Template struct {
			Spec struct {
				Containers []struct {
					Command []string `yaml:"command"`
					Args    []string `yaml:"args"`
					Mounts  []struct {
						Name string `yaml:"name"`
						Path string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				} `yaml:"containers"`
				Volumes []struct {
					Name string `yaml:"name"`
				} `yaml:"volumes"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

// TestKubernetes: the manifests are well formed, and what they run runs. No cluster was asked.
func TestKubernetes(t *testing.T) {
	text, err := os.ReadFile("kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	kinds, args := map[string]*manifest{}, map[string][]string{}
	for in := yaml.NewDecoder(bytes.NewReader(text)); ; {
		m := &manifest{}
		if err := in.Decode(m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if m.APIVersion == "" || m.Metadata.Name == "" || kinds[m.Kind] != nil {
			t.Errorf("%+v", m)
		}
		kinds[m.Kind] = m
		pod := m.Spec.Template.Spec
		for _, c := range pod.Containers {
			if len(c.Command) != 1 || c.Command[0] != "fragments" { // the name of this folder, which is that of the program
				t.Errorf("%s runs %q", m.Kind, c.Command)
			}
			args[m.Kind] = c.Args
			for i, mount := range c.Mounts {
				if pod.Volumes[i].Name != mount.Name {
					t.Errorf("%s mounts %q, of %+v", m.Kind, mount, pod.Volumes)
				}
			}
		}
	}
	if len(kinds) != 4 || kinds["StatefulSet"] == nil || kinds["Job"] == nil {
		t.Fatalf("%d kinds", len(kinds))
	}
	if worker := strings.Join(args["StatefulSet"], " "); worker != "-listen :7070 -store /exchange" {
		t.Errorf("a worker has %s", worker)
	}
	// The query, with workers here and the folders of this machine.
	store := t.TempDir()
	query := args["Job"]
	var urls []string
	for i, a := range query {
		switch a {
		case "-workers":
			for _, url := range strings.Split(query[i+1], ",") {
				if !strings.HasSuffix(url, ".fragments:7070") {
					t.Errorf("the worker %s", url)
				}
				worker := httptest.NewServer(handler(&fragments.Worker{}, fragments.Dir(store)))
				defer worker.Close()
				urls = append(urls, worker.URL)
			}
			query[i+1] = strings.Join(urls, ",")
		case "-store":
			query[i+1] = store
		case "-dsn":
			query[i+1] = "../../../testdata"
		}
	}
	if len(urls) != kinds["StatefulSet"].Spec.Replicas {
		t.Errorf("the query has %d workers of %d", len(urls), kinds["StatefulSet"].Spec.Replicas)
	}
	var out bytes.Buffer
	if err := run(t.Context(), append(query, "-split", "1"), &out); err != nil {
		t.Fatal(err)
	}
	if want := "Species,n\nAdelie,152\nChinstrap,68\nGentoo,124\n"; !strings.EqualFold(out.String(), want) { // of palmerpenguins' own page
		t.Errorf("%s", out.String())
	}
}
