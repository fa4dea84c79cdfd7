// Package junit writes results of checks as XML that every CI reads.
package junit

import (
	"encoding/xml"
	"fmt"
	"io"
)

// Suite is a group of checks.
type Suite struct {
	Name     string  `xml:"name,attr"`
	Tests    int     `xml:"tests,attr"`
	Failures int     `xml:"failures,attr"`
	Errors   int     `xml:"errors,attr"`
	Seconds  string  `xml:"time,attr"`
	Facts    *[]Fact `xml:"properties>property"` // what ran the checks, nil if it is not told
	Cases    []Case  `xml:"testcase"`
}

// Fact is a property of a suite.
type Fact struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// Case is a check. One that could not run has an error.
type Case struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Seconds string   `xml:"time,attr,omitempty"` // empty where all cases were made at once
	Failure *Message `xml:"failure"`
	Error   *Message `xml:"error"`
}

// Message says what is wrong.
type Message struct {
	Text string `xml:"message,attr"`
}

// Add adds a check to the suite.
func (s *Suite) Add(c Case) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Error != nil {
		s.Errors++
	}
	s.Cases = append(s.Cases, c)
}

// Write writes suites.
func Write(w io.Writer, suites ...Suite) error {
	data, err := xml.MarshalIndent(struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []Suite  `xml:"testsuite"`
	}{Suites: suites}, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, data)
	}
	return err
}
