package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular"
)

// readCells makes tables of the lists of rows in JSON.
func (r *hostedRequest) readCells() error {
	for name, raw := range map[string]json.RawMessage{
		"X_train": r.XTrain, "y_train": r.YTrain, "X_test": r.XTest,
	} {
		if raw == nil || string(raw) == "null" {
			continue
		}
		table, err := cellTable(name, raw)
		if err != nil {
			return err
		}
		r.tables[name] = table
	}
	return nil
}

// cellTable makes a table of a list of rows, each a list of cells, or of cells, which are rows of
// one column. Columns are named 0, 1, ....
func cellTable(name string, raw json.RawMessage) (*tabular.Table, error) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, faultf(http.StatusBadRequest, "%s is not a list of rows", name)
	}
	rows := make([][]any, len(list))
	for i, row := range list {
		decoder := json.NewDecoder(bytes.NewReader(row))
		decoder.UseNumber()
		var value any
		decoder.Decode(&value) // valid JSON, as the list is
		cells, ok := value.([]any)
		if !ok {
			cells = []any{value}
		}
		rows[i] = cells
		if len(cells) == 0 || len(cells) != len(rows[0]) {
			return nil, faultf(http.StatusBadRequest, "row %d of %s has %d cells, and the first one %d",
				i+1, name, len(cells), len(rows[0]))
		}
	}
	if len(rows) == 0 {
		return nil, faultf(http.StatusBadRequest, "%s has no rows", name)
	}
	fields, columns := make([]arrow.Field, len(rows[0])), make([]arrow.Array, len(rows[0]))
	for j := range fields {
		column, err := cellColumn(name, rows, j)
		if err != nil {
			return nil, err
		}
		fields[j] = arrow.Field{Name: columnName(j), Type: column.DataType(), Nullable: true}
		columns[j] = column
	}
	return tableOfColumns(name, fields, columns, int64(len(rows))), nil
}

// tableOfColumns is a table of one batch.
func tableOfColumns(
	name string, fields []arrow.Field, columns []arrow.Array, rows int64,
) *tabular.Table {
	schema := arrow.NewSchema(fields, nil)
	return &tabular.Table{File: name, Schema: schema, Rows: rows, Batches: []*tabular.Batch{
		{File: name, Record: array.NewRecordBatch(schema, columns, rows)}}}
}

// cellColumn makes column j of rows: of texts where one is a text, else of truth values where all
// are, else of numbers.
func cellColumn(name string, rows [][]any, j int) (arrow.Array, error) {
	texts, numbers := false, false
	for i, row := range rows {
		switch row[j].(type) {
		case nil, bool:
		case string:
			texts = true
		case json.Number:
			numbers = true
		default:
			return nil, faultf(http.StatusBadRequest,
				"row %d of %s: cell %d is no number, text, truth value or null", i+1, name, j)
		}
	}
	switch {
	case texts:
		return textColumn(rows, j), nil
	case numbers:
		return numberColumn(rows, j), nil
	}
	builder := array.NewBooleanBuilder(memory.DefaultAllocator)
	values := false
	for _, row := range rows {
		if value, ok := row[j].(bool); ok {
			builder.Append(value)
			values = true
		} else {
			builder.AppendNull()
		}
	}
	if !values { // missing throughout
		return numberColumn(rows, j), nil
	}
	return builder.NewArray(), nil
}

// textColumn writes cells as texts.
func textColumn(rows [][]any, j int) arrow.Array {
	builder := array.NewStringBuilder(memory.DefaultAllocator)
	for _, row := range rows {
		switch value := row[j].(type) {
		case nil:
			builder.AppendNull()
		case string:
			builder.Append(value)
		case bool:
			builder.Append(strconv.FormatBool(value))
		case json.Number:
			builder.Append(value.String())
		}
	}
	return builder.NewArray()
}

// numberColumn reads cells as numbers; those that are too large are infinite, which no model takes.
func numberColumn(rows [][]any, j int) arrow.Array {
	builder := array.NewFloat64Builder(memory.DefaultAllocator)
	for _, row := range rows {
		switch value := row[j].(type) {
		case json.Number:
			number, _ := strconv.ParseFloat(value.String(), 64)
			builder.Append(number)
		case bool:
			number := 0.0
			if value {
				number = 1
			}
			builder.Append(number)
		default:
			builder.AppendNull()
		}
	}
	return builder.NewArray()
}

// parquetTable reads a table of a multipart body.
func parquetTable(name string, data []byte, maxBytes int64) (*tabular.Table, error) {
	in, err := tabular.OpenReader(bytes.NewReader(data), name, tabular.ReadOptions{
		Format: tabular.Parquet, MaxBytes: maxBytes})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return in.ReadAll(context.Background())
}

// concatenated are the columns of a table in one piece each.
func concatenated(t *tabular.Table) ([]arrow.Array, error) {
	var columns []arrow.Array
	for i := range t.Schema.NumFields() {
		var parts []arrow.Array
		for _, b := range t.Batches {
			parts = append(parts, b.Record.Column(i))
		}
		if len(parts) == 0 {
			return nil, faultf(http.StatusBadRequest, "%s has no rows", t.File)
		}
		column, err := array.Concatenate(parts, memory.DefaultAllocator)
		if err != nil {
			return nil, faultf(http.StatusBadRequest, "%s: column %d has a type that is not supported",
				t.File, i)
		}
		columns = append(columns, column)
	}
	return columns, nil
}
