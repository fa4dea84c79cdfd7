package serve

import (
	"cmp"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// table answers with a table for a table: its columns that the parameter keep names, then those of
// predict. It is answered while it is read, whatever its length; a stream of Arrow whose end marker
// is missing is refused.
func (s *Server) table(w http.ResponseWriter, r *http.Request, of *request, m *model) error {
	of.asks, of.reading = true, true
	in, err := s.openTable(w, r, m.schema.FeatureNames())
	if err != nil {
		return err
	}
	defer in.Close()
	media, err := answerMedia(r.Header.Get("Accept"), in.Format())
	if err != nil {
		return err
	}
	keep := r.URL.Query()["keep"]
	fields, err := m.tableFields(in, keep)
	if err != nil {
		return err
	}
	if media == mediaJSON {
		if keep != nil {
			return faultf(http.StatusBadRequest,
				"a JSON answer cannot keep columns: send the header Accept: text/csv")
		}
		return m.tableJSON(w, r, in, of)
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Trailer", warningsHeader)
	http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it by itself
	format, delimiter := tabular.FormatOfMedia(media)
	schema := arrow.NewSchema(fields, nil)
	out, err := tabular.Create("-", schema, tabular.WriteOptions{
		Format: format, Delimiter: delimiter, Flush: true, Stdout: &flushedWriter{w}})
	if err != nil {
		return err
	}
	defer out.Abort()
	t := &stream{model: m, next: in.Next,
		write: func(batch *tabular.Batch, computed arrow.RecordBatch) error {
			var columns []arrow.Array
			for _, name := range keep {
				column, _ := batch.Column(name) // tableFields has found it
				columns = append(columns, column)
			}
			return out.Write(array.NewRecordBatch(schema, append(columns, computed.Columns()...),
				computed.NumRows()))
		}}
	err = t.run(r.Context())
	if of.rows = t.rows; err != nil {
		return err
	}
	if text := t.header(); text != "" {
		w.Header().Set(warningsHeader, text)
	}
	return out.Commit()
}

func (m *model) tableFields(in *tabular.Reader, keep []string) (fields []arrow.Field, err error) {
	if _, err := m.schema.Match("request", in.Names()); err != nil {
		return nil, err
	}
	for i, name := range keep {
		if slices.Contains(keep[:i], name) {
			return nil, faultf(http.StatusBadRequest, "the parameter keep names the column %q twice", name)
		}
		kept, ok := in.Schema().FieldsByName(name)
		if !ok {
			return nil, faultf(http.StatusBadRequest, "the table has no column %q to keep", name)
		}
		fields = append(fields, kept...)
	}
	for _, field := range m.outputs {
		if slices.Contains(keep, field.Name) {
			return nil, faultf(http.StatusBadRequest, "the column %q cannot be kept, because an output has "+
				"the same name: rename the column", field.Name)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// openTable opens the table of a body as a stream. A compressed one has the limits of a body.
func (s *Server) openTable(
	w http.ResponseWriter, r *http.Request, names []string,
) (*tabular.Reader, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	format, _ := tabular.FormatOfMedia(media)
	if err != nil && media != "" || !format.Streamed() && !slices.Contains(anyMedia, media) {
		return nil, faultf(http.StatusUnsupportedMediaType, "Content-Type %q is not one of %s",
			media, strings.Join(tabular.MediaTypes(tabular.Format.Streamed), ", "))
	}
	body := &patientReader{w: w, from: r.Body, limit: s.limits.Transit}
	if from, packed, err := s.unpacked(w, r); err != nil {
		return nil, err
	} else if packed {
		body.from = from
	}
	return tabular.OpenReader(body, "request", tabular.ReadOptions{Format: format,
		BatchRows: s.limits.BatchRows, RequireEOS: true, Names: names})
}

// tableJSON answers for a table with a response of the protocol.
func (m *model) tableJSON(
	w http.ResponseWriter, r *http.Request, in *tabular.Reader, of *request,
) error {
	a, err := m.collect(r.Context(), in.Next)
	if of.rows = a.rows; err != nil {
		return err
	}
	all, _ := m.asked(&oip.Request{}) // who names no output gets all
	body, _ := m.response(&oip.Request{}, a, all).Encode()
	w.Header().Set("Content-Type", mediaJSON)
	w.Write(body) // a client that is gone needs no answer
	return nil
}

// patientReader reads a body whose parts may each take a time.
type patientReader struct {
	w     http.ResponseWriter
	from  io.Reader
	limit time.Duration
}

func (p *patientReader) Read(data []byte) (int, error) {
	within(p.w, p.limit)
	n, err := p.from.Read(data)
	if err != nil && err != io.EOF {
		err = bodyFault(err)
	}
	return n, err
}

// flushedWriter sends at once what is written.
type flushedWriter struct{ w http.ResponseWriter }

func (f *flushedWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	return n, err
}

// anyMedia are media types of bodies that say nothing of the format; the last one is curl's own.
var anyMedia = []string{"application/octet-stream", "", "application/x-www-form-urlencoded"}

// mediaJSON is the media type of a response of the protocol.
const mediaJSON = "application/json"

// answerMedia is the media type of an answer: the one accepted that is wanted most, of those that
// can be written, else that of the question if it is text, else an Arrow stream.
func answerMedia(accept string, asked tabular.Format) (string, error) {
	list := wanted(accept)
	for _, media := range list {
		if media == "*/*" {
			break
		}
		if format, _ := tabular.FormatOfMedia(media); media == mediaJSON || format.Written() {
			return media, nil
		}
	}
	switch {
	case accept != "" && !slices.Contains(list, "*/*"):
		return "", faultf(http.StatusNotAcceptable, "the Accept header names no media type of answers: "+
			"use %s or %s",
			strings.Join(tabular.MediaTypes(tabular.Format.Written), ", "), mediaJSON)
	case asked == tabular.CSV:
		return tabular.CSV.MediaType(), nil
	}
	return tabular.ArrowStream.MediaType(), nil
}

// wanted lists the media types of an Accept header whose weight is above 0, the heaviest first (RFC
// 9110, section 12.5.1).
func wanted(accept string) []string {
	weights := map[string]float64{}
	var list []string
	for part := range strings.SplitSeq(accept, ",") {
		media, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, given := parameters["q"]; given {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		if _, twice := weights[media]; weight > 0 && !twice {
			weights[media] = weight
			list = append(list, media)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(weights[b], weights[a]) })
	return list
}
