package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
)

func TestFlagsFirst(t *testing.T) {
	app := newApp(stdio.Streams{})
	for _, c := range []struct{ in, want string }{
		{"pfnamp", "pfnamp --"},
		{"pfnamp --help", "pfnamp --help --"},
		{"pfnamp predict a b --target y", "pfnamp predict --target y -- a b"},
		{"pfnamp predict a --quiet b -y=z", "pfnamp predict --quiet -y=z -- a b"},
		{"pfnamp predict a - -o - --level 0.9", "pfnamp predict -o - --level 0.9 -- a -"},
		{"pfnamp predict -- -a -b", "pfnamp predict -- -a -b"},
		{"pfnamp models verify dir --device cpu", "pfnamp models verify --device cpu -- dir"},
		{"pfnamp predict a b --target", "pfnamp predict --target -- a b"},
		{"pfnamp predict a b -y z --help", "pfnamp predict --help"},
		{"pfnamp models verify -h dir", "pfnamp models verify --help"},
		{"pfnamp predict a --target --help", "pfnamp predict --target --help -- a"},
		{"pfnamp predict -- --help", "pfnamp predict -- --help"},
		{"pfnamp nonsense --help", "pfnamp -- nonsense"},
		{"pfnamp nonsense --flag", "pfnamp --flag -- nonsense"},
	} {
		got := flagsFirst(app, strings.Fields(c.in))
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%q became %q, want %q", c.in, got, want)
		}
	}
}
