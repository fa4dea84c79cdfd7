package main

import "strings"

// scriptMessages collects the quoted texts of a source in JavaScript that are prose. Three dots
// stand for each expression in a template; texts in the expression are texts of their own.
func scriptMessages(path string, source []byte) ([]text, error) {
	s := scanner{path: path, source: string(source)}
	s.code("")
	return s.all, nil
}

// scanner reads a source once, from start to end.
type scanner struct {
	path, source string
	at           int
	all          []text
}

// code reads up to the brace that closes an expression in a template, or to the end if closing is
// empty.
func (s *scanner) code(closing string) {
	depth, before := 0, byte('\n')
	for s.at < len(s.source) {
		rest, c := s.source[s.at:], s.source[s.at]
		switch {
		case closing != "" && depth == 0 && strings.HasPrefix(rest, closing):
			return
		case strings.HasPrefix(rest, "//"):
			s.skip("\n")
		case strings.HasPrefix(rest, "/*"):
			s.skip("*/")
		case c == '/' && strings.IndexByte("\n=(,:[!&|?{};>", before) >= 0:
			s.quoted()
		case c == '\'' || c == '"' || c == '`':
			s.literal()
			before = c
		default:
			switch c {
			case '{':
				depth++
			case '}':
				depth--
			}
			if c != ' ' {
				before = c
			}
			s.at++
		}
	}
}

// skip goes behind the next end, or to the end of the source.
func (s *scanner) skip(end string) {
	_, after, _ := strings.Cut(s.source[s.at:], end)
	s.at = len(s.source) - len(after)
}

// literal reads a string or a template and keeps its text.
func (s *scanner) literal() {
	start := s.at
	body := s.quoted()
	if !style.MatchString(strings.TrimRight(s.source[:start], " \n")) {
		line := 1 + strings.Count(s.source[:start], "\n")
		s.all = appendProse(s.all, text{s.path, line, body, ofFolder(s.path)})
	}
}

// quoted reads up to the next mark like the one it starts at, and returns the text in between.
func (s *scanner) quoted() string {
	mark := s.source[s.at]
	var body strings.Builder
	for s.at++; s.at < len(s.source) && s.source[s.at] != mark; s.at++ {
		switch c := s.source[s.at]; {
		case c == '\\' && s.at+1 < len(s.source):
			s.at++
			body.WriteByte(s.source[s.at])
		case mark == '`' && strings.HasPrefix(s.source[s.at:], "${"):
			s.at += len("${")
			s.code("}")
			body.WriteString("…")
		default:
			body.WriteByte(c)
		}
	}
	s.at++
	return body.String()
}
