package main

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// normals draws n standard normal numbers.
func normals(random *rand.Rand, n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = random.NormFloat64()
	}
	return list
}

func linear(random *rand.Rand, features int) func([]float64) float64 {
	w := normals(random, features)
	return func(x []float64) float64 { return floats.Dot(w, x) }
}

func nothing(*rand.Rand, int) func([]float64) float64 {
	return func([]float64) float64 { return 0 }
}

// quadratic is a random quadratic form of all features.
func quadratic(random *rand.Rand, features int) func([]float64) float64 {
	a := make([][]float64, features)
	for i := range a {
		a[i] = normals(random, features)
	}
	return func(x []float64) float64 {
		sum := 0.0
		for i, row := range a {
			sum += x[i] * floats.Dot(row, x)
		}
		return sum
	}
}

// wave is a sine of one direction.
func wave(random *rand.Rand, features int) func([]float64) float64 {
	w, phase := normals(random, features), 2*math.Pi*random.Float64()
	frequency := 2.5 / math.Sqrt(floats.Dot(w, w))
	return func(x []float64) float64 { return math.Sin(frequency*floats.Dot(w, x) + phase) }
}

// friedman is Friedman's first function (1991) of Φ(x), as far as there are features.
func friedman(*rand.Rand, int) func([]float64) float64 {
	return func(x []float64) float64 {
		u := make([]float64, 5)
		for j := range min(5, len(x)) {
			u[j] = distuv.UnitNormal.CDF(x[j])
		}
		return 10*math.Sin(math.Pi*u[0]*u[1]) + 20*(u[2]-0.5)*(u[2]-0.5) + 10*u[3] + 5*u[4]
	}
}

// tiles is a random height on every tile of a 3 × 3 board of two features, and a step of the last.
func tiles(random *rand.Rand, features int) func([]float64) float64 {
	board := normals(random, 9)
	place := func(v float64) (at int) {
		for _, edge := range []float64{-0.4, 0.5} {
			if v >= edge {
				at++
			}
		}
		return at
	}
	return func(x []float64) float64 {
		height := board[3*place(x[0])+place(x[1])]
		if x[features-1] > 0.3 {
			height += 0.7
		}
		return height
	}
}

// splines is a sum of random cubic B-splines of Φ(x) of up to three features.
func splines(random *rand.Rand, features int) func([]float64) float64 {
	used := min(3, features)
	weights := normals(random, used*splineSize)
	return func(x []float64) float64 {
		sum := 0.0
		for j := range used {
			b := splineAt(distuv.UnitNormal.CDF(x[j]))
			sum += floats.Dot(weights[j*splineSize+b.first:][:len(b.values)], b.values[:])
		}
		return sum
	}
}

// bumps is five radial bumps of up to three features.
func bumps(random *rand.Rand, features int) func([]float64) float64 {
	const count = 5
	used := min(3, features)
	centres, heights := normals(random, count*used), normals(random, count)
	return func(x []float64) float64 {
		sum := 0.0
		for k, height := range heights {
			gap := 0.0
			for j, c := range centres[k*used : (k+1)*used] {
				gap += (x[j] - c) * (x[j] - c)
			}
			sum += height * math.Exp(-gap)
		}
		return sum
	}
}

// growth is a logistic curve of one feature whose height is another one.
func growth(_ *rand.Rand, features int) func([]float64) float64 {
	return func(x []float64) float64 {
		return math.Exp(0.5*x[1])/(1+math.Exp(-3*x[0])) + 0.2*x[features-1]
	}
}

// hinges is a sum of products of hinges of pairs of features.
func hinges(random *rand.Rand, features int) func([]float64) float64 {
	type product struct {
		i, j         int
		a, b, weight float64
	}
	var products []product
	for range 4 {
		products = append(products, product{random.IntN(features), random.IntN(features),
			0.7 * random.NormFloat64(), 0.7 * random.NormFloat64(), random.NormFloat64()})
	}
	return func(x []float64) float64 {
		sum := 0.0
		for _, p := range products {
			sum += p.weight * math.Max(0, x[p.i]-p.a) * math.Max(0, p.b+x[p.j])
		}
		return sum
	}
}
