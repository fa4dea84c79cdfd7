// Package joint asks about several rows together. The posterior of a single row does not say how
// rows move together: [Couple] makes posterior draws of many rows belong together, near rows moving
// together, and leaves the posterior of every row as it is. [Averages] sums the draws over all
// rows, groups and single rows, and estimates their differences ([Contrast]). Package amp turns the
// ranks of coupled rows into simultaneous bands (amp.Simultaneous, pfnamp.Predictor.At).
package joint
