// Package forecast continues series in time. A [Series] has one value a step, some of them missing;
// [Series.Forecast] says how it goes on, with an interval for every horizon.
//
// A forecast is the mean of two that err differently (Bates and Granger 1969, The Combination of
// Forecasts):
//
//   - a tabular network reads one row a step: its place in the season, its number, and values that
//     are known at every horizon (lags of at least the horizon). One context answers all horizons:
//     forecasts are direct, so no forecast depends on another one;
//   - an exponential smoothing, with the level, slope and season that Akaike's criterion chooses
//     (Hyndman, Koehler, Ord and Snyder 2008, Forecasting with Exponential Smoothing).
//
// Both work on logarithms where these suit the smoothing better. Intervals come from errors that
// past forecasts have made: the same recipe is applied at earlier origins, where what followed is
// known (rolling origin), and the errors, in units of the sizes that the two expect, are ranked as
// in conformal prediction. They are predictive intervals of values. No credible interval
// of a conditional mean is given: past values cannot show whether it covers.
package forecast
