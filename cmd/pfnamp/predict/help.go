package predict

import (
	"github.com/pfnamp/pfnamp/amp"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
)

var predictHelp = `TRAIN is the labelled table that the model reads. TEST holds the rows to predict: one
output row each, in the same order. Tables are CSV, JSON lines, Excel workbooks, Parquet or
Arrow (file or stream), by extension or content; "-" is standard input. Columns match by name.
A STATE of pfnamp fit can replace TRAIN. With one TABLE alone, the model reads the rows that
have the target and predicts the others; without --keep, the column row has their numbers.

OUTPUT COLUMNS, for --functional mean,q0.9 and the default level 0.9:
   mean, mean_lo, mean_hi    mean label of such rows and its 90 % credible interval:
                             how well the mean is known
   q0.9, q0.9_lo, q0.9_hi    the same for the 0.9-quantile
   pi_lo, pi_hi              90 % predictive interval: where a single label falls.
                             It includes noise, so it is wider

FUNCTIONALS, separated by commas:
` + run.FormHelp(amp.Forms()) + `
POSTERIORS, from which credible intervals come:
` + run.PosteriorHelp() + `In a list, NAME_lo and NAME_hi come from the first posterior, NAME_paper_lo and so on from
the others.

THE LABEL ITSELF: -f q0.9 estimates the 0.9-quantile, and its interval says how well it is
known. --ppd describes one label instead: noise and uncertainty together, so its q0.9 lies
further out. --ppd 'q0.1,q0.9,p>150' adds the columns ppd_q0.1 and so on, without intervals.
It takes every functional, and
` + run.FormHelp(amp.StatisticForms()[len(amp.Forms()):]) + `--samples 100 draws labels: sample_1 to sample_100, or one a line with --samples-file FILE.

PREDICTIVE INTERVALS: --predictive conformal adjusts pi_lo and pi_hi by the errors of the
model in rows of TRAIN that it has not read (10 folds). If rows of TRAIN and TEST are alike,
the intervals hold as many labels as --level says, however wrong the model is. For classes it adds
   set, set_size             classes that are likely enough, joined by |, and their number
--conformal-by class, missing, or a COLUMN of TRAIN and TEST keeps that share for every class,
pattern of missing cells, or value. If TEST has new groups, such as new patients, add --group
COLUMN; if TEST is the future, add --time COLUMN.

SEVERAL ROWS TOGETHER: intervals of single rows do not say how rows move together. The joint
posterior does: it couples rows by their distance in the features.
   --joint FILE     row, draw and a column per functional: equal draws belong together
   --summary FILE   averages over all rows and groups, and their differences
   --bands          a band that holds in all rows of TEST at once

MANY TABLES: with several TESTs, a folder, or a pattern in quotes, -o names a folder. Each
output has the name of its table, and _SUCCESS follows when all are done. After an
interruption the same command continues. --shard I/N takes every N-th table. Folders named
key=value become columns. --keep-going skips tables that are refused, names them, and exits
with status 5.

CLASSES: pfnamp classifies a target of texts, or of true and false, and predicts a target of
numbers as numbers. If whole numbers are codes of classes, add --task classification. --model
names a bundle, which has one task (see pfnamp models show).
For the labels no and yes the output columns are
   class                     the most probable class
   p=no, p=no_lo, p=no_hi    the probability of no and its 90 % credible interval
   p=yes, p=yes_lo, ...      the same for yes
Numbers are sorted by size, false is before true, texts are sorted by bytes (A before a).
The default is --rho 1.

EXAMPLES
   pfnamp predict train.csv test.csv --target price > out.csv
   pfnamp predict train.csv test.parquet --target price --keep id -o out.parquet
   pfnamp predict train.csv test.csv --target y --functional 'q0.5,p>10' --plot out.png
   pfnamp predict train.csv test.csv --target y --keep id -o report.html
   pfnamp predict train.csv test.csv --target y --functional median --posterior direct
   pfnamp predict train.csv test.csv -y price -o out.csv --summary towns.csv --group-by town \
      --contrast 'Bath - York' --contrast 'row 1 - row 2'
   duckdb -c "copy (...) to '/dev/stdout' (format csv)" | pfnamp predict train.csv - --target y`
