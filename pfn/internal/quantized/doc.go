// Package quantized rewrites an ONNX graph so that its largest matrix products run on 8-bit
// integers.
//
// A product y = x·W + b with a constant matrix W becomes the one node DynamicQuantizeMatMul of
// onnxruntime. W is rounded here, column by column:
//
//	s_j = max_k |W_kj| / 127,  Q_kj = round(W_kj / s_j),  so |Q_kj| <= 127
//
// onnxruntime rounds x while it runs. DynamicQuantizeMatMul uses one scale and one zero point for
// the whole tensor (the ONNX operator DynamicQuantizeLinear). So every row of a result depends a
// little on the other rows of the same run. The context graph reads all rows together and may do
// so.
//
// In the query graph rows must not depend on each other. There every row i of x has a scale of its
// own, and elementary nodes take the place of the one:
//
//	r_i = max_k |x_ik| / 127,  y_ij = r_i s_j Σ_k round(x_ik / r_i) Q_kj + b_j
//
// The sums are of whole numbers and exact, so a row has the same bits in every block of rows. The
// last product of the graph stays float32.
package quantized
