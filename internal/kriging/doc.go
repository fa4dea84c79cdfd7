// Package kriging fits a Gaussian process to rows of numbers, categories and missing cells.
//
//	space := kriging.NewSpace(every, categorical)
//	process := kriging.Fit(space, measured, y)
//	posterior := process.At(candidates)
//	fmt.Println(posterior.Mean[0], posterior.Spread[0], posterior.Covariance(0, 1))
//
// The model is y = m + f(x) + noise. m is normal and f a Gaussian process with a Matérn covariance,
//
//	cov(f(a), f(b)) = s² (1 + √5 r + 5r²/3) exp(-√5 r),   r² = Σ (aⱼ - bⱼ)² / lⱼ²
//
// where j runs over the coordinates of [Space]. [Fit] finds the lengths lⱼ, the scale s and the
// noise with the largest posterior density. [Draws] draws them from their posterior distribution
// (Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, chapters 2, 4.2 and 5.4).
// The prior keeps lengths near half the size of the space times √d, as distances grow
// with √d (Hvarfner, Hellsten and Nardi 2024).
//
// Results do not depend on the order of rows.
package kriging
