package amp

import "math"

// H returns the conditional distribution function of the Gaussian copula with correlation rho,
//
//	H_ρ(u, v) = Φ((Φ^-1(u) - ρ Φ^-1(v)) / √(1-ρ²)),
//
// the law of a rank u given that the rank v was drawn (Nagler and Rügamer 2025, arXiv
// 2505.11325, section 3.2). It is valid for u and v in [0, 1] and ρ in [0, 1], limits included:
// H_ρ(0, v) = 0, H_ρ(1, v) = 1, and between these H_0(u, v) = u, H_1(u, v) = 1{u >= v}. It is NaN
// where an argument is NaN or outside its range.
func H(rho, u, v float64) float64 {
	switch {
	case !(u >= 0 && u <= 1 && v >= 0 && v <= 1 && rho >= 0 && rho <= 1):
		return math.NaN()
	case u == 0 || u == 1 || rho == 0:
		return u
	case rho == 1:
		if u >= v {
			return 1
		}
		return 0
	case v == 0:
		return 1
	case v == 1:
		return 0
	}
	t := (normalQuantile(u) - rho*normalQuantile(v)) / math.Sqrt((1-rho)*(1+rho))
	return 0.5 * math.Erfc(-t/math.Sqrt2)
}
