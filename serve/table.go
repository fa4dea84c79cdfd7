package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// table answers with a table for a table: its columns that the parameter keep names, then those of
// predict. Text and Arrow streams are answered while they are read, whatever their length; a stream
// of Arrow whose end marker is missing is refused.
func (s *Server) table(w http.ResponseWriter, r *http.Request, of *request) error {
	of.asks, of.reading = true, true
	m, err := s.modelOf(r, of)
	if err != nil {
		return err
	}
	in, stream, err := s.openTable(w, r, of, m.schema.FeatureNames())
	if err != nil {
		return err
	}
	defer in.Close()
	media, err := answerMedia(r.Header.Get("Accept"), in.Format())
	if err != nil {
		return err
	}
	t := &tableJob{model: m, in: in, keep: r.URL.Query()["keep"], of: of,
		interrupt: func(err error) { s.interrupt(w, r, of, stream, err) }}
	fields, err := t.fields()
	if err != nil {
		return err
	}
	if media == mediaJSON {
		if t.keep != nil {
			return faultf(http.StatusBadRequest,
				"a JSON answer cannot keep columns: send the header Accept: text/csv")
		}
		return m.tableJSON(w, r, in, of)
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Trailer", warningsHeader)
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
	if text := t.notes.header(m.Predictor); text != "" {
		w.Header().Set(warningsHeader, text)
	}
	return t.out.Commit()
}

// interrupt ends a read of the body after an error. If no answer has begun, it sends the error and
// reads the rest of the body. Otherwise it cuts the answer, and the connection takes no further
// requests.
func (s *Server) interrupt(
	w http.ResponseWriter, r *http.Request, of *request, stream *patientReader, err error,
) {
	if stream == nil {
		return
	}
	stream.stopped.Store(true)
	f := of.fail(err)
	if sent, ok := w.(*answerWriter); ok && sent.status == 0 && f.Status != statusGone {
		s.tell(sent, r, of, f)
		within(w, s.limits.Header)
		return
	}
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	within(w, 0)
}

// openTable opens the table of a body: as a stream where its format and the request allow it, else
// from memory.
func (s *Server) openTable(
	w http.ResponseWriter, r *http.Request, of *request, names []string,
) (*tabular.Reader, *patientReader, error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	format, known := mediaFormat(media)
	if err != nil && media != "" || !known {
		return nil, nil, faultf(http.StatusUnsupportedMediaType, "Content-Type %q is not one of %s",
			media, strings.Join(mediaList(), ", "))
	}
	opt := tabular.ReadOptions{Format: format, BatchRows: s.limits.BatchRows, RequireEOS: true,
		Names: names}
	packed := r.Header.Get("Content-Encoding")
	if format.Streamed() && (packed == "" || packed == "identity") {
		stream := &patientReader{w: w, from: r.Body, limit: s.limits.Transit}
		in, err := tabular.OpenReader(stream, "request", opt)
		return in, stream, err
	}
	body, err := s.body(w, r, of)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkRows(r.Context(), body, opt); err != nil {
		return nil, nil, err
	}
	in, err := tabular.OpenReader(body.section(), "request", opt)
	return in, nil, err
}

// checkRows refuses a table in memory with more rows than a request may have, before any is
// answered: those that its footer tells, else those that it has.
func (s *Server) checkRows(ctx context.Context, body *chunks, opt tabular.ReadOptions) error {
	in, err := tabular.OpenReader(body.section(), "request", opt)
	if err != nil {
		return err
	}
	defer in.Close()
	limit := int64(s.limits.Rows)
	rows := in.Rows()
	for counted := int64(0); rows < 0 && counted <= limit; {
		batch, err := in.Next(ctx)
		if err != nil { // which reading again meets too
			return nil
		}
		if counted += int64(batch.Rows()); counted > limit {
			rows = counted
		}
	}
	if rows > limit {
		return faultf(http.StatusRequestEntityTooLarge, "the table has more than %d rows: send it as "+
			"uncompressed CSV, JSON lines or Arrow stream, which have no limit", limit)
	}
	return nil
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
				"a JSON answer has at most %d rows: send the header Accept: text/csv, which has no limit",
				m.limits.Rows)
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

// patientReader reads a body whose parts may each take a time, until it is stopped.
type patientReader struct {
	w       http.ResponseWriter
	from    io.Reader
	limit   time.Duration
	stopped atomic.Bool
}

// Read implements io.Reader.
func (p *patientReader) Read(data []byte) (int, error) {
	if p.stopped.Load() {
		return 0, context.Canceled
	}
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
