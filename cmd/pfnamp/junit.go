package main

import (
	"encoding/xml"
	"fmt"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// The elements of a JUnit report that every CI reads.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Seconds  string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Failure *junitMessage `xml:"failure"`
		Error   *junitMessage `xml:"error"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
	}
)

// suite returns a bundle as a test suite with a test for every case. A bundle that cannot be run
// is one error.
func (f verified) suite() junitSuite {
	s := junitSuite{Name: f.Model, Seconds: fmt.Sprintf("%.3f", f.Seconds)}
	if f.replay == nil {
		s.Tests, s.Errors = 1, 1
		s.Cases = []junitCase{{Class: f.Model, Name: "run", Error: &junitMessage{f.err.Error()}}}
		return s
	}
	for _, c := range f.Cases {
		test := junitCase{Class: f.Model, Name: c.Name}
		if !c.OK {
			test.Failure = &junitMessage{fmt.Sprintf("%s: largest difference %s, tolerance %.1e",
				c.Part, c.difference(), c.Tolerance)}
			s.Failures++
		}
		s.Tests++
		s.Cases = append(s.Cases, test)
	}
	return s
}

// junit writes what was found to a file, which then lacks nothing but its name.
func (v *verification) junit(file *atomicfile.File) finisher {
	return func() (*atomicfile.File, error) {
		var suites junitSuites
		for _, found := range v.done {
			suites.Suites = append(suites.Suites, found.suite())
		}
		data, err := xml.MarshalIndent(suites, "", "  ")
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(file, "%s%s\n", xml.Header, data); err != nil {
			return nil, err
		}
		return file, file.Finish()
	}
}
