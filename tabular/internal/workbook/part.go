package workbook

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Limits of an unpacked part: beyond expandFree bytes, at most maxExpand times its packed size. And
// the largest name, attribute or text in it.
const (
	maxExpand  = 500
	expandFree = 64 << 20
	maxToken   = 4 << 20
)

// part is an open part of a workbook.
type part struct {
	name   string
	in     io.ReadCloser
	xml    *xml.Decoder
	n      int64 // bytes read
	token0 int64 // bytes read before this token
	most   int64 // bytes that may be read
}

// open opens a part.
func (b *Book) open(name string) (*part, error) {
	f := b.files[partName("", name)]
	if f == nil {
		return nil, fmt.Errorf("the workbook has no part %s", name)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	packed := int64(min(f.CompressedSize64, uint64(b.size)))
	p := &part{name: f.Name, in: in, most: max(expandFree, maxExpand*packed)}
	p.xml = xml.NewDecoder(p)
	return p, nil
}

// Read reads until a limit is exceeded.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.n += int64(n)
	switch {
	case p.n > p.most:
		return 0, fmt.Errorf("the part %s unpacks to more than %d times its size", p.name, maxExpand)
	case p.n-p.token0 > maxToken:
		return 0, fmt.Errorf("the part %s has a text of more than %d bytes", p.name, maxToken)
	}
	return n, err
}

// token returns the next token, which is valid until the one after it. It does not notice that the
// part ends inside an element.
func (p *part) token() (xml.Token, error) {
	p.token0 = p.n
	return p.xml.RawToken()
}

// Close ends reading.
func (p *part) Close() error { return p.in.Close() }
