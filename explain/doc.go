// Package explain shows what drives the answers of a model that has read a table.
//
//	population, err := explain.NewPopulation(predictor, joint.DefaultLength)
//	effect, err := population.Effect(ctx, 0, "area")
//	for _, p := range effect.Points {
//		fmt.Println(p.Values[0].Text, p.Estimates[0].Point, p.Estimates[0].Lo, p.Estimates[0].Hi)
//	}
//
// It answers four questions:
//
//   - [Effect]: how does the average answer change with one column, or with two? The answer has a
//     credible band, because package joint couples the rows;
//   - [Importance]: how much worse are predictions of unread rows without a column? A column of
//     noise is the baseline. [NewImportance] needs no population;
//   - [WhatIf]: what would the model answer if cells of the query rows had other values? An
//     [Expression] such as area*1.1 describes the change;
//   - [Treatment]: how do two groups differ, adjusted for the other columns?
//
// The first three describe the model: what it expects of rows with other cells. They are not causal
// effects. A treatment effect is causal only if every column that influences both the group
// and the target is a feature.
package explain
