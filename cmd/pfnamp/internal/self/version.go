package self

import (
	"runtime/debug"
	"strings"
)

// Method names the version of the method that the program implements.
const Method = "Nagler & Rügamer, arXiv 2505.11325v4"

// Version is the module version, or the revision of a build from source.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version == "" {
		return "devel"
	}
	return strings.Trim(info.Main.Version, "()")
}

// Revision is the commit of a build in a clone, with a remark if files were changed; "" if it is
// not known.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	found := map[string]string{}
	for _, setting := range info.Settings {
		found[setting.Key] = setting.Value
	}
	commit := found["vcs.revision"]
	if commit != "" && found["vcs.modified"] == "true" {
		commit += ", with changes"
	}
	return commit
}
