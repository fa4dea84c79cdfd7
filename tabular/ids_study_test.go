package tabular

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
)

// The study of docs/evidence/columns.md reads the CSV files of a folder:
//
//	go test ./tabular -run TestStudyOfIdentifiers -v -identifiers FOLDER
var studiedTables = flag.String("identifiers", "", "folder of tables without their targets")

// TestStudyOfIdentifiers compares the columns that a part of a table leaves out with those that the
// whole table does.
func TestStudyOfIdentifiers(t *testing.T) {
	if *studiedTables == "" {
		t.Skip("-identifiers FOLDER studies tables")
	}
	files, err := filepath.Glob(filepath.Join(*studiedTables, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	left := func(table *Table) []string {
		s, err := Learn(table, SchemaOptions{})
		if err != nil {
			return nil
		}
		return s.Ignored
	}
	for _, share := range []int{80, 50, 20} {
		both, part, whole := 0, 0, 0
		for _, file := range files {
			table, err := ReadAll(t.Context(), file, ReadOptions{})
			if err != nil {
				continue
			}
			n, all := int(table.Rows)*share/100, left(table)
			for seed := uint64(0); seed < 5 && 20 <= n && n <= 3000; seed++ {
				kept := rand.New(rand.NewPCG(seed, 1)).Perm(int(table.Rows))[:n]
				slices.Sort(kept)
				some, err := table.Where(func(row int) bool {
					_, found := slices.BinarySearch(kept, row)
					return found
				})
				if err != nil {
					t.Fatal(err)
				}
				found := left(some)
				common := len(slices.DeleteFunc(slices.Clone(found), func(name string) bool {
					return !slices.Contains(all, name)
				}))
				both, part, whole = both+common, part+len(found)-common, whole+len(all)-common
			}
		}
		fmt.Printf("| %d %% | %d | %d | %d |\n", share, both, whole, part)
	}
}
