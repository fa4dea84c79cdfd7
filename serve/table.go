package serve

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// table answers with a table for a table: its columns that the parameter keep names, then those of
// predict. Text and Arrow streams are answered while they are read, whatever their length; a stream
// of Arrow whose end marker is missing is refused.
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
	media, err := answerMedia(r.Header.Get("Accept"), in.Format())
	if err != nil {
		return err
	}
	t := &tableJob{model: m, in: in, keep: r.URL.Query()["keep"], of: of,
		interrupt: func() { cut(w, r) }}
	fields, err := t.fields()
	if err != nil {
		return err
	}
	if media == mediaJSON {
		if t.keep != nil {
			return faultf(http.StatusBadRequest, "answers as JSON have no columns to keep: ask for text/csv")
		}
		return m.tableJSON(w, r, in, of)
	}
	w.Header().Set("Content-Type", media)
	http.NewResponseController(w).EnableFullDuplex() // HTTP/2 has it by itself
	format, delimiter := tabular.FormatOfMedia(media)
	t.out, err = tabular.Create("-", arrow.NewSchema(fields, nil), tabular.WriteOptions{
		Format: format, Delimiter: delimiter, Flush: true, Stdout: &flushedWriter{w}})
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
func (s *Server) openTable(
	w http.ResponseWriter, r *http.Request,
) (*tabular.Reader, func(), error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	format, known := mediaFormat(media)
	if err != nil && media != "" || !known {
		return nil, nil, faultf(http.StatusUnsupportedMediaType, "Content-Type %q is not one of %s",
			media, strings.Join(mediaList(), ", "))
	}
	opt := tabular.ReadOptions{Format: format, BatchRows: s.limits.BatchRows, RequireEOS: true}
	if packed := r.Header.Get("Content-Encoding"); format.Streamed() && (packed == "" || packed == "identity") {
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

// tableJSON answers for a table with a response of the protocol.
func (m *model) tableJSON(
	w http.ResponseWriter, r *http.Request, in *tabular.Reader, of *request,
) error {
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
		p, err := m.batcher.Join(r.Context(), query, a.rows > batch.Rows())
		if err == nil {
			err = m.collect(p, a)
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

// Read implements io.Reader.
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

// Write implements io.Writer.
func (f *flushedWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil {
		err = http.NewResponseController(f.w).Flush()
	}
	return n, err
}
