package workbook

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
)

// What a part may unpack to: beyond expandFree bytes not more than maxExpand times its packed size;
// and how long a name, an attribute or a text in it may be.
const (
	maxExpand  = 500
	expandFree = 64 << 20
	maxToken   = 4 << 20
)

// part is a part of a workbook that is being read.
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
		return nil, fmt.Errorf("it has no part %s", name)
	}
	return newPart(f, b.size)
}

// newPart starts to read a part of an archive of a size.
func newPart(f *zip.File, size int64) (*part, error) {
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	packed := size
	if f.CompressedSize64 < uint64(size) {
		packed = int64(f.CompressedSize64)
	}
	p := &part{name: f.Name, in: in, most: max(expandFree, maxExpand*packed)}
	p.xml = xml.NewDecoder(p)
	return p, nil
}

// Read reads until there is too much.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	p.n += int64(n)
	switch {
	case p.n > p.most:
		return 0, fmt.Errorf("its part %s unpacks to more than %d times its size", p.name, maxExpand)
	case p.n-p.token0 > maxToken:
		return 0, fmt.Errorf("its part %s has a text of more than %d bytes", p.name, maxToken)
	}
	return n, err
}

// token is the next token, which is valid until the one after it. An end of the part within an
// element is not seen here.
func (p *part) token() (xml.Token, error) {
	p.token0 = p.n
	return p.xml.RawToken()
}

// Close ends reading.
func (p *part) Close() error { return p.in.Close() }
