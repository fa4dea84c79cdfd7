package evaluate

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
)

// ClassSplit divides rows at random as [Split] does, class by class: of the n rows of every class
// round(share n) are for training, at least one and, where there are two, not all. Both lists
// ascend. It fails with a *SplitError unless two classes have two rows or more.
func ClassSplit(
	seed uint64, key string, y []float64, share float64,
) (train, test []int, err error) {
	of := make([]int, len(y))
	for i, k := range y {
		of[i] = int(k)
	}
	rows, random, large := folds.InOrder(of), Stream(seed, key+"/split"), 0
	for _, of := range rows {
		random.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		cut := min(len(of), max(1, int(math.Round(share*float64(len(of))))))
		if len(of) > 1 {
			cut = min(cut, len(of)-1)
			large++
		}
		train, test = append(train, of[:cut]...), append(test, of[cut:]...)
	}
	if large < 2 {
		return nil, nil, &SplitError{Rows: len(y), Train: len(train), Classes: len(rows),
			Reason: "two classes need at least 2 rows each, one to learn from and one to score"}
	}
	slices.Sort(train)
	slices.Sort(test)
	return train, test, nil
}

// ClassMethods are [Setting.Methods] as they are for classes: steps move mass to one class only.
func (set Setting) ClassMethods() []Method {
	chains := func(kind amp.PosteriorKind) Method {
		ranks := set.Ranks()
		ranks.Sampler.Rho = 1
		return Posterior{amp.Chains{Kind: kind, Ranks: ranks}}
	}
	methods := []Method{chains(amp.Limit), chains(amp.Paper), Posterior{amp.Direct{}}}
	if set.Refits > 0 {
		methods = append(methods, Bootstrap{set.Refits})
	}
	return methods
}

// AllClasses is the functional of means over the probabilities of all classes.
const AllClasses = "all classes"

// overClasses averages coverage and width over the classes.
func overClasses(measures []Measure) []Measure {
	var means Tally
	for _, m := range measures {
		if m.Functional != "" {
			means.Add(m.Method, AllClasses, m.Metric, float64(m.Value))
		}
	}
	all := means.Measures()
	for i := range all { // classes of a split are not independent
		all[i].SE, all[i].N = Number(math.NaN()), 1
	}
	return all
}

// NameClasses gives measures of the probabilities of classes the names p=LABEL.
func NameClasses(measures []Measure, labels []string) []Measure {
	names := map[string]string{}
	for k, label := range labels {
		names[amp.Class(k).String()] = "p=" + label
	}
	for i, m := range measures {
		if name, ok := names[m.Functional]; ok {
			measures[i].Functional = name
		}
	}
	return measures
}
