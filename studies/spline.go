package main

// The B-spline basis of the publication's additive model (section 5.1): 20 functions of degree 3 on
// [0, 1], knots equidistant inside and repeated at both ends.
const (
	splineDegree = 3
	splineSize   = 20
	splinePieces = splineSize - splineDegree
)

// spline is a value of the basis: the splineDegree+1 functions that may differ from zero at x.
// The first of them has the index first.
type spline struct {
	first  int
	values [splineDegree + 1]float64
}

// splineKnot returns the i-th knot, counted from -splineDegree at the left end.
func splineKnot(i int) float64 {
	return float64(max(0, min(splinePieces, i))) / splinePieces
}

// splineAt evaluates the basis at x in [0, 1] by the recursion of Cox and de Boor,
//
//	B_i,k(x) = (x - t_i)/(t_{i+k} - t_i) B_i,k-1(x)
//	         + (t_{i+k+1} - x)/(t_{i+k+1} - t_{i+1}) B_i+1,k-1(x)
//
// (de Boor, "A Practical Guide to Splines", 1978, chapter X), in the triangular scheme that
// builds the functions of one degree from those of the degree below.
func splineAt(x float64) spline {
	piece := min(splinePieces-1, int(x*splinePieces))
	s := spline{first: piece}
	s.values[0] = 1
	for k := 1; k <= splineDegree; k++ {
		carried := 0.0
		for j := range k {
			left, right := splineKnot(piece+1-k+j), splineKnot(piece+1+j)
			w := s.values[j] / (right - left)
			s.values[j] = carried + (right-x)*w
			carried = (x - left) * w
		}
		s.values[k] = carried
	}
	return s
}

// basis lists the coefficients that the first features of a row depend on, and their weights.
func basis(row []float64, features int) (index []int, value []float64) {
	for j := range features {
		s := splineAt(row[j])
		for k, b := range s.values {
			index = append(index, j*splineSize+s.first+k)
			value = append(value, b)
		}
	}
	return index, value
}
