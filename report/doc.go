// Package report draws results of pfnamp: figures, charts, tables and pages.
//
//	figure := report.Figure{Asked: asked, Rows: rows}
//	err := figure.Write(file, "svg")
//
// The types to know:
//
//   - [Figure] draws query rows in the order of their point estimates, with two kinds of interval.
//     The credible interval shows where the functional, such as the mean, lies. The predictive
//     interval shows where a single label lies; it is wider because it includes noise;
//   - [Chart] and [Table] hold results of package evaluate;
//   - [Page] combines texts, charts and tables in one HTML file.
package report
