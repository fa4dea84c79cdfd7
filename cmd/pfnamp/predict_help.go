package main

var predictHelp = `TRAIN is the labelled table that the model reads as context; TEST holds the rows
to predict, one output row each, in order. Both may be CSV, JSON lines, an Excel
workbook, Parquet or Arrow (file or stream), told by extension or content; "-" is
standard input.
Columns are matched by name. A STATE of pfnamp fit may take the place of TRAIN.
Of one TABLE alone, the rows that have the target are read and the others predicted.

OUTPUT COLUMNS, for --functional mean,q0.9 and the default level 0.9:
   mean, mean_lo, mean_hi    conditional mean and its 90 % credible interval:
                             what is unknown about the function
   q0.9, q0.9_lo, q0.9_hi    the same for the conditional 0.9-quantile
   pi_lo, pi_hi              90 % predictive interval of a single label:
                             noise included, hence wider

FUNCTIONALS, separated by commas:
` + functionalHelp() + `
POSTERIORS that credible intervals can come from:
` + posteriorHelp() + `Several may be listed: of the first one are NAME_lo and NAME_hi, of the others
NAME_paper_lo, NAME_paper_hi and so on.

THE LABEL ITSELF: -f q0.9 is the 0.9-quantile that the model believes in, and its interval
is about that belief. --ppd lists numbers of the predictive distribution of one label, in
which noise and doubt are together, so that its q0.9 lies further out. --ppd 'q0.1,q0.9,p>150'
adds columns ppd_q0.1 and so on, without intervals. It takes every functional, and
` + statisticHelp() + `--samples 100 draws labels: sample_1 to sample_100, or a line each in --samples-file FILE.

PREDICTIVE INTERVALS: pi_lo and pi_hi come from the predictive distribution of the
label. --predictive conformal adjusts them by how well the model predicts rows of
TRAIN that it has not read (10 folds): if rows of TRAIN and TEST are alike, they
hold a label about as often as --level says, however wrong the model. Of labels it adds
   set, set_size             labels that are likely enough, joined by |, and their number
--conformal-by class, missing, or a COLUMN of TRAIN and TEST keeps that for every label,
pattern of missing cells, or value.
--group COLUMN reads whole groups, such as the rows of a patient, for TESTs of new groups;
--time COLUMN lets earlier rows predict later ones, for TESTs of the future.

SEVERAL ROWS TOGETHER: the posterior of a single row does not say how rows move
together. --joint, --summary and --bands couple rows by their distance in the
features and leave every single row's interval as it is.
   --joint FILE     row, draw and a column per functional: equal draws belong together
   --summary FILE   averages over all rows and groups, and differences of them
   --bands          band around all rows of TEST at once

MANY TABLES: several TESTs, a folder or a pattern in quotes are predicted into the
folder of -o, each under its own name, and _SUCCESS is written when all are there.
A table that is done is not done again: the same command goes on after an
interruption, and --shard I/N takes every N-th table. Folders named key=value become
columns. --keep-going leaves out tables that are refused, names them, and ends with
exit status 5; pfnamp parts verify FOLDER finds outputs that were changed since.

CLASSES: the target decides what is predicted. Texts, and true and false, are labels,
for which a classifier is used; numbers are predicted as numbers, unless they are
codes of classes: --task classification says so, and takes whole numbers as labels.
--model names a bundle, and then its task is the task (pfnamp models show tells).
The output columns are, for labels no and yes,
   class                     the most probable class
   p=no, p=no_lo, p=no_hi    its probability and the 90 % credible interval of that
   p=yes, p=yes_lo, ...      likewise
in this order: numbers by size, false before true, texts by their bytes (A before a).
--summary has averages of these probabilities over rows and groups, and differences.
The defaults are then --rho 1, and --posterior limit where the bundle has no own one.

EXAMPLES
   pfnamp predict train.csv test.csv --target price > out.csv
   pfnamp predict train.csv test.parquet --target price --keep id -o out.parquet
   pfnamp predict train.csv test.csv --target y --functional 'q0.5,p>10' --plot out.png
   pfnamp predict train.csv test.csv --target y --keep id -o report.html
   pfnamp predict train.csv test.csv --target y --functional median --posterior direct
   pfnamp predict train.csv test.csv -y price -o out.csv --summary towns.csv --group-by town \
      --contrast 'Bath - York' --contrast 'row 1 - row 2'
   duckdb -c "copy (...) to '/dev/stdout' (format csv)" | pfnamp predict train.csv - --target y`
