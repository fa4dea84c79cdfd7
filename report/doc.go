// Package report draws what pfnamp computed.
//
// A [Figure] shows query rows sorted by their point estimate with two kinds
// of interval that must not be confused: the credible interval of the
// functional (what is unknown about the function) and the predictive
// interval of a single label (noise included).
package report
