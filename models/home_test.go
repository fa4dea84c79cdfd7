package models

import "testing"

// Imported bundles live below an absolute XDG_DATA_HOME, else below HOME.
func TestHome(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "relative")
	t.Setenv("HOME", "/home/me")
	if dir, err := Home(); err != nil || dir != "/home/me/.local/share/pfnamp/models" {
		t.Errorf("folder %q, %v", dir, err)
	}
	t.Setenv("HOME", "")
	if _, err := Home(); err == nil {
		t.Error("a folder without a home")
	}
	if imported("tiny") != "" {
		t.Error("a bundle is found without a home")
	}
}
