package conformal

import "math/rand/v2"

// stream tells the random stream of folds from others of the same seed.
const stream = 0x466f_6c64_7300_0001

// Folds divides rows at random into folds, group by group: the sizes of folds differ by at most one,
// and so do the numbers of rows that a group has in them. The result has the fold of every row.
func Folds(seed uint64, groups []int, folds int) []int {
	random := rand.New(rand.NewPCG(seed, stream))
	of, dealt := make([]int, len(groups)), 0
	for _, rows := range byGroup(groups) {
		for _, place := range random.Perm(len(rows)) {
			of[rows[place]] = dealt % folds
			dealt++
		}
	}
	return of
}

// byGroup lists the rows of every group 0, 1, ....
func byGroup(groups []int) (rows [][]int) {
	for row, g := range groups {
		for g >= len(rows) {
			rows = append(rows, nil)
		}
		rows[g] = append(rows[g], row)
	}
	return rows
}

// Split lists the rows of a fold, and those of all others.
func Split(folds []int, fold int) (in, out []int) {
	for row, of := range folds {
		if of == fold {
			in = append(in, row)
		} else {
			out = append(out, row)
		}
	}
	return in, out
}
