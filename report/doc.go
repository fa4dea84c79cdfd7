// Package report draws what pfnamp computed: figures, charts, tables and pages.
//
//	figure := report.Figure{Asked: asked, Rows: rows}
//	err := figure.Write(file, "svg")
//
// The types to know:
//
//   - [Figure] shows query rows in the order of their point estimates, with two intervals that you
//     must not confuse. The credible interval of the functional says what is unknown about the
//     function. The predictive interval of a single label includes noise;
//   - [Chart] and [Table] show results of package evaluate;
//   - [Page] puts them together in one HTML file.
package report
