// Package amp computes approximate martingale posteriors (AMP) in rank space: credible intervals
// for functionals of the conditional distribution behind a posterior predictive distribution
// (PPD).
//
// The method is that of Nagler and Rügamer, "Uncertainty Quantification for Prior-Data Fitted
// Networks using Martingale Posteriors" (arXiv 2505.11325), Algorithm 1. From a PPD P_0 it draws
// forward samples y_k ~ P_{k-1} and updates
//
//	P_k = (1-α_k) P_{k-1} + α_k H_ρ(P_{k-1}, P_{k-1}(y_k)),  k = 1..N,
//
// with the Gaussian copula's conditional distribution H_ρ ([H]) and a [Schedule] of learning
// rates α_k. Written P_k = G_k ∘ P_0, the recursion lives on the unit interval:
//
//	V_k ~ U(0,1),  U_k = G_{k-1}^-1(V_k),  y_k = P_0^-1(U_k),
//	G_0(u) = u,  G_k = (1-α_k) G_{k-1} + α_k H_ρ(G_{k-1}, V_k)
//
// so that the law of the chains does not depend on the query row. A [Sampler] draws B chains
// once per data set, a [Summarizer] prepares a [Functional] once, and a row costs little more
// than two evaluations of P_0^-1.
//
// # Use
//
//	sampler := amp.Sampler{Schedule: amp.PaperSchedule{Rows: n, Features: d}, Seed: 1}
//	posterior, err := sampler.Draw(ctx)
//	q90, err := posterior.Summarizer(ctx, amp.Spec{Functional: amp.Quantile{Level: 0.9}})
//	estimate := q90.Row(ppd) // Point, Lo, Hi
//
// [Classes] are the probabilities of the classes of a categorical label; [Class] is that of one of
// them.
//
// A [JointSampler] orders the draws of many rows
// so that differences, averages and simultaneous bands become possible; marginals stay.
//
// A [Method] is what a program offers by name: [Chains], [Direct], which reads the
// posterior that a model returns itself, or [Auto], which is Direct where there is one and Chains
// elsewhere. All of them turn a [Prediction] into an [Estimate].
//
// # Guarantees
//
// Results depend on the schedule, the fields of the sampler and the PPD only, never on the
// number of workers: every chain owns a random stream keyed by (seed, chain). Lo <= Hi. The
// intervals are credible intervals of a functional, not predictive intervals of a label.
package amp
