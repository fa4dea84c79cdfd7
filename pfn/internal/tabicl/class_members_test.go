package tabicl

import (
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/models"
)

// zlib.crc32 of the first letters of the norms, the permutations and the orders of the classes of
// all members, as the package composes them.
func TestManyClassMembers(t *testing.T) {
	for _, c := range []struct {
		h, classes, count, members int
		want                       uint32
	}{
		{13, 10, 32, 32, 3013750053},
		{40, 4, 64, 64, 176706040},
		{2, 2, 32, 8, 1055159118},
		{100, 10, 16, 16, 3197538885},
	} {
		members := classPreset(c.count, 42, c.classes).compose(c.h)
		var flat []byte
		for _, m := range members {
			flat = append(flat, m.Norm[0])
			for _, v := range slices.Concat(m.Permutation, m.Classes) {
				flat = append(flat, byte(v))
			}
		}
		if got := crc32.ChecksumIEEE(flat); len(members) != c.members || got != c.want {
			t.Errorf("h = %d, %d classes: %d members, checksum %d", c.h, c.classes, len(members), got)
		}
	}
}

// classPreset is that of a classifier's members as the package composes them.
func classPreset(members int, seed uint64, classes int) Preset {
	return Preset{Classes: classes, Ensemble: models.Ensemble{Members: members, Norms: bothNorms,
		Seed: seed, OutlierThreshold: 4}}
}

func TestSingleClassMember(t *testing.T) {
	got := classPreset(1, 42, 3).compose(4)
	if fmt.Sprint(got) != "[{none [0 1 2 3] [0 1 2] none}]" {
		t.Errorf("members %v", got)
	}
}
