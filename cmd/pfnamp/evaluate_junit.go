package main

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/pfnamp/pfnamp/evaluate"
)

// suite returns an evaluation as a test suite with a test for every condition.
func (g *gate) suite(table string, now []evaluate.Result) (junitSuite, error) {
	s := junitSuite{Name: table, Tests: len(g.conditions), Seconds: "0"}
	for _, c := range g.conditions {
		why, err := c.broken(now, g.baseline)
		if err != nil {
			return s, err
		}
		test := junitCase{Class: "evaluate." + table, Name: c.text}
		if why != "" {
			test.Failure = &junitMessage{why}
			s.Failures++
		}
		s.Cases = append(s.Cases, test)
	}
	return s, nil
}

// writeJUnit writes the conditions, if that is asked for.
func (j *evaluateJob) writeJUnit(now []evaluate.Result) error {
	if j.opt.junit == "" {
		return nil
	}
	suite, err := j.opt.gate.suite(j.table.Name, now)
	if err != nil {
		return err
	}
	data, err := xml.MarshalIndent(junitSuites{Suites: []junitSuite{suite}}, "", "  ")
	if err != nil {
		return err
	}
	return commitTogether(j.fileAt(j.opt.junit, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s%s\n", xml.Header, data)
		return err
	}))
}
