package predict

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/tabular"
)

func TestOutputName(t *testing.T) {
	for _, c := range []struct {
		name   string
		format tabular.Format
		want   string
	}{
		{"in/a.csv", tabular.Auto, "in/a.csv"}, {"a.tsv", tabular.CSV, "a.tsv"},
		{"a.csv", tabular.Parquet, "a.parquet"}, {"a.2024.01.csv", tabular.Parquet, "a.2024.01.parquet"},
		{"a.2024.csv.gz", tabular.Auto, "a.2024.csv"}, {"a.jsonl", tabular.Auto, "a.csv"},
		{"a.b.jsonl.zst", tabular.ArrowFile, "a.b.arrow"}, {"A.CSV.GZ", tabular.Auto, "A.csv"},
		{"a.feather", tabular.Auto, "a.feather"}, {"a.ipc", tabular.Auto, "a.ipc"},
		{"x.y/a.xlsx", tabular.Auto, "x.y/a.xlsx"}, {"a.xlsm", tabular.Auto, "a.csv"},
	} {
		if got := outputName(c.name, c.format); got != c.want {
			t.Errorf("%s as %s goes to %s, want %s", c.name, c.format, got, c.want)
		}
	}
}

func TestPartitionKeys(t *testing.T) {
	want := []tabular.Constant{{Name: "my town", Value: "a/b"}, {Name: "n", Value: ""},
		{Name: "k", Value: "2"}}
	got := partitionKeys("data/k=1/my%20town=a%2Fb/=x/n=__HIVE_DEFAULT_PARTITION__/k=2")
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
