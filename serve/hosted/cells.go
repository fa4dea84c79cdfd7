package hosted

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/serve/internal/refusal"
	"github.com/pfnamp/pfnamp/tabular"
)

// readCells makes tables of the lists of rows in JSON.
func (r *request) readCells(take func(int64) error) error {
	for _, cells := range []struct {
		name string
		raw  json.RawMessage
	}{{"X_train", r.XTrain}, {"y_train", r.YTrain}, {"X_test", r.XTest}} {
		if cells.raw == nil || string(cells.raw) == "null" {
			continue
		}
		table, err := cellTable(cells.name, cells.raw, take)
		if err != nil {
			return err
		}
		r.tables[cells.name] = table
	}
	return nil
}

// tableOfColumns is a table of one batch.
func tableOfColumns(
	name string, fields []arrow.Field, columns []arrow.Array, rows int64,
) *tabular.Table {
	schema := arrow.NewSchema(fields, nil)
	return &tabular.Table{File: name, Schema: schema, Rows: rows, Batches: []*tabular.Batch{
		{File: name, Record: array.NewRecordBatch(schema, columns, rows)}}}
}

// parquetTable reads a table of a multipart body. It takes the memory first: for a table that
// expands as most do, and only for one that expands further all that a table may have.
func parquetTable(name string, data []byte, of Request) (*tabular.Table, error) {
	const usual = 16
	limit := min(of.TableBytes, usual*int64(len(data))+1<<20)
	if err := of.Take(limit); err != nil {
		return nil, err
	}
	t, err := readParquet(name, data, limit)
	if wrong, ok := errors.AsType[*tabular.Error](err); ok && wrong.Limit && limit < of.TableBytes {
		if err := of.Take(of.TableBytes - limit); err != nil {
			return nil, err
		}
		t, err = readParquet(name, data, of.TableBytes)
	}
	return t, err
}

// readParquet reads a table of so many bytes at most.
func readParquet(name string, data []byte, limit int64) (*tabular.Table, error) {
	in, err := tabular.OpenReader(bytes.NewReader(data), name, tabular.ReadOptions{
		Format: tabular.Parquet, MaxBytes: limit})
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
			return nil, refusal.Newf(http.StatusBadRequest, "%s has no rows", t.File)
		}
		column, err := array.Concatenate(parts, memory.DefaultAllocator)
		if err != nil {
			return nil, refusal.Newf(http.StatusBadRequest, "%s: column %d has a type that is not supported",
				t.File, i)
		}
		columns = append(columns, column)
	}
	return columns, nil
}
