// Package explain tells what drives the answers of a model that has read a table. [Effects] varies
// one column, or two, over all rows of the context: the average answer as a function of the
// column's value, with a credible band. Package joint couples the rows, so that averages and
// differences have intervals of their own. [NewImportance] tells how much worse the model predicts
// rows that it has not read where a column is replaced, beside a column of noise.
//
// Effects are about the model: what it expects, on average, of rows whose cell is another. They are
// no causal effects.
package explain
