// Package quantized rewrites an ONNX graph so that its largest matrix products run on 8-bit
// integers.
//
// A product y = x·W + b with a constant matrix W becomes the one node DynamicQuantizeMatMul of
// onnxruntime. W is rounded here, column by column:
//
//	s_j = max_k |W_kj| / 127,  Q_kj = round(W_kj / s_j),  so |Q_kj| <= 127
//
// onnxruntime rounds x while it runs, with one scale and one zero point for the whole tensor (the
// ONNX operator DynamicQuantizeLinear). So every row of a result depends a little on the other
// rows of the same run. The context graph reads all rows together and may do so. In the query graph
// rows must not depend on each other, so it stays in float32.
package quantized
