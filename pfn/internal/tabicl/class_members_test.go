package tabicl

import (
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// What EnsembleGenerator(classification=True, n_estimators=count, random_state=seed) of tabicl
// 2.2.0 composes for h features that vary and so many classes.
func TestClassMembers(t *testing.T) {
	cases := []struct {
		h, classes, count int
		seed              uint64
		want              []Member // of the norm "none"
	}{
		{3, 2, 4, 42, []Member{{None, []int{2, 0, 1}, []int{1, 0}, trend.None},
			{None, []int{1, 2, 0}, []int{1, 0}, trend.None}}},
		{1, 3, 8, 42, []Member{{None, []int{0}, []int{2, 0, 1}, trend.None},
			{None, []int{0}, []int{0, 1, 2}, trend.None},
			{None, []int{0}, []int{1, 2, 0}, trend.None}}},
		{5, 3, 8, 42, []Member{{None, []int{2, 0, 4, 3, 1}, []int{1, 2, 0}, trend.None},
			{None, []int{1, 4, 2, 0, 3}, []int{2, 0, 1}, trend.None}, {None, []int{2, 0, 4, 3, 1},
				[]int{2, 0, 1}, trend.None},
			{None, []int{2, 0, 4, 3, 1}, []int{0, 1, 2}, trend.None}}},
		{6, 4, 2, 7, []Member{{None, []int{4, 5, 0, 2, 1, 3}, []int{3, 0, 1, 2}, trend.None}}},
		{6, 4, 2, 12345678901, []Member{{None, []int{1, 2, 4, 5, 0, 3}, []int{2, 3, 0, 1}, trend.None}}},
	}
	for _, c := range cases {
		got := classPreset(c.count, c.seed, c.classes).compose(c.h)
		if len(got) != 2*len(c.want) {
			t.Errorf("h = %d, %d classes: %d members", c.h, c.classes, len(got))
			continue
		}
		for i, m := range got {
			want := c.want[i/2]
			want.Norm = bothNorms[i%2]
			if fmt.Sprint(m) != fmt.Sprint(want) {
				t.Errorf("h = %d, %d classes, member %d: %v, want %v", c.h, c.classes, i, m, want)
			}
		}
	}
}

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
	return Preset{Members: members, Norms: bothNorms, Seed: seed, Threshold: 4, Classes: classes}
}

func TestSingleClassMember(t *testing.T) {
	got := classPreset(1, 42, 3).compose(4)
	if fmt.Sprint(got) != "[{none [0 1 2 3] [0 1 2] none}]" {
		t.Errorf("members %v", got)
	}
}
