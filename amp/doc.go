// Package amp computes credible intervals from a predictive distribution, by approximate martingale
// posteriors (AMP). You give it the posterior predictive distribution (PPD) of a row. It says how
// well the mean, a quantile or a probability of that distribution is known.
//
//	sampler := amp.Sampler{Schedule: amp.PaperSchedule{Rows: n, Features: d}, Seed: 1}
//	posterior, err := sampler.Draw(ctx)
//	q90, err := posterior.Summarizer(ctx, amp.Spec{Functional: amp.Quantile{Level: 0.9}})
//	estimate := q90.Row(ppd) // Point, Lo, Hi
//
// The types to know:
//
//   - [PPD] is the distribution of a label: a CDF, its quantiles and its mean. [Classes] is the PPD
//     of a label with classes;
//   - [Functional] is what you ask for: [Mean], [Quantile], [Probability] or [Shortfall].
//     [ParseFunctional] reads one from text;
//   - [Sampler] draws chains once for a data set, and [Summarizer] turns a PPD into an [Estimate].
//
// A [Method] makes the same estimates by name: [Chains], [Direct], which reads the posterior that a
// model returns itself, or [Auto], which is Direct where the model has a posterior and Chains
// elsewhere. A [JointSampler] orders the draws of many rows. Then differences, averages and
// simultaneous bands are possible, and the interval of every single row stays as it is.
//
// # Method
//
// The method is Algorithm 1 of Nagler and Rügamer, "Uncertainty Quantification for Prior-Data
// Fitted Networks using Martingale Posteriors" (arXiv 2505.11325). From a PPD P_0 it draws forward
// samples y_k ~ P_{k-1} and updates
//
//	P_k = (1-α_k) P_{k-1} + α_k H_ρ(P_{k-1}, P_{k-1}(y_k)),  k = 1..N,
//
// with the Gaussian copula's conditional distribution H_ρ and a [Schedule] of learning
// rates α_k,
//
//	H_ρ(u, v) = Φ((Φ^-1(u) - ρ Φ^-1(v)) / √(1-ρ²)).
//
// This package writes P_k = G_k ∘ P_0, and runs the recursion on the unit interval:
//
//	V_k ~ U(0,1),  U_k = G_{k-1}^-1(V_k),  y_k = P_0^-1(U_k),
//	G_0(u) = u,  G_k = (1-α_k) G_{k-1} + α_k H_ρ(G_{k-1}, V_k)
//
// So the law of the chains does not depend on the query row. All rows share the chains, and a row
// costs little more than two evaluations of P_0^-1.
//
// # Guarantees
//
// Results depend only on the schedule, the fields of the sampler and the PPD. They do not depend on
// the number of workers, because every chain owns a random stream with the key (seed, chain).
// Lo <= Hi. The intervals are credible intervals of a functional, not predictive intervals of a
// label.
package amp
