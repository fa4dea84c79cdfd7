// Package forecast continues series in time, with a predictive interval for every horizon.
//
//	series, err := forecast.New(times, values, false, 12) // a season of 12 steps
//	next, err := series.Forecast(ctx, forecast.Of(model), forecast.Options{Horizon: 6})
//	for _, p := range next.Points {
//		fmt.Println(p.Time, p.Value, p.Lo, p.Hi)
//	}
//
// The types to know:
//
//   - [Series] has one value at every step; some values may be missing;
//   - [Forecast] has one [Point] for every horizon, and says how well the same recipe did before;
//   - [Table], from [Read], has many series of one table.
//
// A forecast is the mean of two forecasts that make different errors (Bates and Granger 1969, The
// Combination of Forecasts):
//
//   - a tabular network reads one row a step: its place in the season, its number, and values that
//     are known at every horizon (lags of at least the horizon). One context answers all horizons,
//     so no forecast depends on another forecast;
//   - an exponential smoothing, with the level, slope and season that Akaike's criterion chooses
//     (Hyndman, Koehler, Ord and Snyder 2008, Forecasting with Exponential Smoothing).
//
// Both work on logarithms if the smoothing fits better with them. Intervals come from errors of
// past forecasts. The package applies the same recipe at earlier origins, where it knows what
// followed (rolling origin). It divides each error by the size that the two forecasts expect, and
// ranks the results as in conformal prediction.
//
// The intervals are predictive intervals of values. There are no credible intervals of a
// conditional mean, because past values cannot show whether such intervals cover.
package forecast
