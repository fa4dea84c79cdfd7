package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// mediaTypes are the formats of tables by their media types.
var mediaTypes = map[string]tabular.Format{
	"text/csv":                            tabular.CSV,
	"text/tab-separated-values":           tabular.CSV,
	"application/vnd.apache.arrow.stream": tabular.ArrowStream,
	"application/vnd.apache.arrow.file":   tabular.ArrowFile,
	"application/vnd.apache.parquet":      tabular.Parquet,
	"application/x-ndjson":                tabular.JSONLines,
	"application/octet-stream":            tabular.Auto,
	"application/x-www-form-urlencoded":   tabular.Auto, // what curl says by itself
	"":                                    tabular.Auto,
}

// table answers with a table for a table: its columns that the parameter keep names, then those of
// predict. Text and Arrow streams are answered while they are read, whatever their length; a stream of
// Arrow whose end marker is missing is refused.
func (s *Server) table(w http.ResponseWriter, r *http.Request, of *request) error {
	m, err := s.modelOf(r, of)
	if err != nil {
		return err
	}
	in, free, err := s.openTable(w, r)
	if err != nil {
		return err
	}
	defer free()
	defer in.Close()
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		return m.tableJSON(w, r, in, of)
	}
	format, media, err := answerFormat(r.Header.Get("Accept"), in.Format())
	if err != nil {
		return err
	}
	t := &tableJob{model: m, in: in, keep: r.URL.Query()["keep"], of: of}
	fields, err := t.fields()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", media)
	http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it by itself
	t.out, err = tabular.Create("-", arrow.NewSchema(fields, nil), tabular.WriteOptions{
		Format: format, Flush: true, Stdout: &flushedWriter{w}})
	if err != nil {
		return err
	}
	defer t.out.Abort()
	if err := t.run(r.Context()); err != nil {
		return err
	}
	return t.out.Commit()
}

// openTable opens the table of a body: as a stream where its format and the request allow it, else
// from memory.
func (s *Server) openTable(w http.ResponseWriter, r *http.Request) (*tabular.Reader, func(), error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	format, known := mediaTypes[media]
	if err != nil && media != "" || !known {
		return nil, nil, faultf(http.StatusUnsupportedMediaType, "Content-Type %q is not one of %s", media,
			strings.Join(mediaList(), ", "))
	}
	opt := tabular.ReadOptions{Format: format, BatchRows: s.limits.BatchRows, RequireEOS: true}
	streamed := format == tabular.CSV || format == tabular.ArrowStream || format == tabular.JSONLines
	if packed := r.Header.Get("Content-Encoding"); streamed && (packed == "" || packed == "identity") {
		in, err := tabular.OpenReader(&patientReader{w, r.Body, s.limits.Transit}, "request", opt)
		return in, func() {}, err
	}
	within(w, s.limits.Transit)
	body, free, err := s.body(w, r)
	if err != nil {
		return nil, nil, err
	}
	in, err := tabular.OpenReader(bytes.NewReader(body), "request", opt)
	if err != nil {
		free()
	}
	return in, free, err
}

// mediaList lists the media types that tables may have.
func mediaList() []string {
	var list []string
	for media := range mediaTypes {
		if strings.ContainsAny(media, ".-") && media != "application/x-www-form-urlencoded" || media == "text/csv" {
			list = append(list, media)
		}
	}
	slices.Sort(list)
	return list
}

// answerFormat is the format of an answer and its media type: the first one accepted that can be
// written, else that of the question if it is text, else an Arrow stream.
func answerFormat(accept string, asked tabular.Format) (tabular.Format, string, error) {
	any := accept == ""
	for part := range strings.SplitSeq(accept, ",") {
		media, _, _ := mime.ParseMediaType(part)
		switch format := mediaTypes[media]; {
		case media == "*/*":
			any = true
		case format != tabular.Auto && format.Written():
			return format, media, nil
		}
	}
	switch {
	case !any:
		return 0, "", faultf(http.StatusNotAcceptable, "answers are text/csv, "+
			"application/vnd.apache.arrow.stream, application/vnd.apache.parquet or application/json")
	case asked == tabular.CSV:
		return tabular.CSV, "text/csv", nil
	}
	return tabular.ArrowStream, "application/vnd.apache.arrow.stream", nil
}

// tableJob answers for the rows of a table.
type tableJob struct {
	model *model
	in    *tabular.Reader
	out   *tabular.Writer
	keep  []string
	of    *request
}

// fields lists the columns of the answer.
func (t *tableJob) fields() ([]arrow.Field, error) {
	if _, err := t.model.schema.Match("request", t.in.Names()); err != nil {
		return nil, err
	}
	var fields []arrow.Field
	for _, name := range t.keep {
		kept, ok := t.in.Schema().FieldsByName(name)
		if !ok {
			return nil, faultf(http.StatusBadRequest, "the table has no column %q to keep", name)
		}
		fields = append(fields, kept...)
	}
	for _, field := range t.model.outputs {
		if slices.Contains(t.keep, field.Name) {
			return nil, faultf(http.StatusBadRequest, "the column %q is computed and cannot be kept",
				field.Name)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// run reads, answers and writes batch by batch; while one is answered, the next one waits.
func (t *tableJob) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop() // of what waits when something has failed
	var ahead *job
	var batch *tabular.Batch
	for {
		next, err := t.in.Next(ctx)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		end := err != nil
		var j *job
		if !end {
			if j, err = t.join(ctx, next, ahead != nil || t.of.rows > 0); err != nil {
				return err
			}
		}
		if ahead != nil {
			if err := t.write(batch, ahead); err != nil {
				return err
			}
		}
		if end {
			return nil
		}
		ahead, batch = j, next
	}
}

// join lets a batch wait.
func (t *tableJob) join(ctx context.Context, batch *tabular.Batch, always bool) (*job, error) {
	query, err := t.model.Predictor.Encode(batch)
	if err != nil {
		return nil, err
	}
	return t.model.queue.join(ctx, query, always)
}

// write waits for the answer for a batch and writes it.
func (t *tableJob) write(batch *tabular.Batch, j *job) error {
	answer, err := t.model.queue.wait(j)
	if err != nil {
		return err
	}
	computed, err := t.model.Predictor.Record(answer)
	if err != nil {
		return err
	}
	var columns []arrow.Array
	var fields []arrow.Field
	for _, name := range t.keep {
		column, _ := batch.Column(name) // fields has found it
		kept, _ := t.in.Schema().FieldsByName(name)
		columns, fields = append(columns, column), append(fields, kept...)
	}
	columns = append(columns, computed.Columns()...)
	fields = append(fields, computed.Schema().Fields()...)
	t.of.rows += answer.Rows()
	return t.out.Write(array.NewRecordBatch(arrow.NewSchema(fields, nil), columns,
		int64(answer.Rows())))
}

// tableJSON answers for a table with a response of the protocol.
func (m *model) tableJSON(w http.ResponseWriter, r *http.Request, in *tabular.Reader, of *request) error {
	a := &answered{}
	for {
		batch, err := in.Next(r.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if a.rows += batch.Rows(); a.rows > m.limits.Rows {
			return faultf(http.StatusRequestEntityTooLarge,
				"more than %d rows: ask for text/csv, which has no limit", m.limits.Rows)
		}
		query, err := m.Predictor.Encode(batch)
		if err != nil {
			return err
		}
		j, err := m.queue.join(r.Context(), query, a.rows > batch.Rows())
		if err == nil {
			err = m.collect(j, a)
		}
		if err != nil {
			return err
		}
	}
	of.rows = a.rows
	all := make([]int, len(m.outputs))
	for i := range all {
		all[i] = i
	}
	body, _ := m.response(&oip.Request{}, a, all).Encode()
	w.Header().Set("Content-Type", "application/json")
	w.Write(body) // a client that is gone needs no answer
	return nil
}

// patientReader reads a body whose parts may each take a time.
type patientReader struct {
	w     http.ResponseWriter
	from  io.Reader
	limit time.Duration
}

// Read implements io.Reader.
func (p *patientReader) Read(data []byte) (int, error) {
	within(p.w, p.limit)
	return p.from.Read(data)
}

// flushedWriter sends at once what is written.
type flushedWriter struct{ w http.ResponseWriter }

// Write implements io.Writer.
func (f *flushedWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	return n, err
}
