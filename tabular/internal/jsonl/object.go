package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// readObject reads a line that holds a JSON object and calls member for each of its members, in
// their order: with the text of a string, number or boolean, and nil for null. It fails if the line
// is wrong, and with the errors of member.
func readObject(line []byte, member func(key string, text *string, number bool) error) error {
	if !utf8.Valid(line) {
		return &ground.Error{Msg: fmt.Sprintf("the text is not valid UTF-8 (byte %d of the line)",
			ground.FirstInvalid(line)+1), Hint: "save the file as UTF-8"}
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		return notJSON(line, err)
	}
	if token != json.Delim('{') {
		return &ground.Error{Msg: "the line is " + jsonName(token) + ", not an object",
			Hint: "write one object per line, such as {\"x\": 1, \"y\": 2}"}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return notJSON(line, err)
		}
		name, _ := key.(string)
		text, number, err := readMember(d, name, line)
		if err == nil {
			err = member(name, text, number)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return notJSON(line, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return &ground.Error{Msg: "there is text after the object",
			Hint: "write one object per line"}
	}
	return nil
}

// readMember reads the value of a member, and reports whether it is a number.
func readMember(d *json.Decoder, name string, line []byte) (value *string, number bool, err error) {
	token, err := d.Token()
	if err != nil {
		return nil, false, notJSON(line, err)
	}
	text := ""
	switch v := token.(type) {
	case nil:
		return nil, false, nil
	case bool:
		text = fmt.Sprint(v)
	case json.Number:
		text, number = v.String(), true
	case string:
		text = v
	default:
		return nil, false, &ground.Error{Column: name, Msg: "the value is " + jsonName(token),
			Hint: "write its members as separate columns, or leave it out: jq can do both"}
	}
	for _, t := range []string{name, text} {
		if strings.ContainsRune(t, utf8.RuneError) && !bytes.ContainsRune(line, utf8.RuneError) &&
			!bytes.Contains(bytes.ToLower(line), []byte(`\ufffd`)) {
			return nil, false,
				&ground.Error{Column: name, Msg: `the value has half of a surrogate pair (\ud800 to \udfff)`}
		}
	}
	if len(text) > ground.MaxCell {
		return nil, false,
			&ground.Error{Column: name, Msg: fmt.Sprintf("a cell is longer than %d bytes", ground.MaxCell)}
	}
	return &text, number, nil
}

// notJSON describes what is wrong with a line, where err was found.
func notJSON(line []byte, err error) error {
	e := &ground.Error{Msg: "the line is not valid JSON", Err: ground.Brief(err)}
	var whole json.RawMessage
	if fault, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(line, &whole)); ok {
		e.Err = fmt.Errorf("byte %d is unexpected", fault.Offset)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		e.Err = errors.New("the object has no end")
		e.Hint = "write a whole object per line: jq -c . does it"
	}
	return e
}

// jsonName describes what a token begins.
func jsonName(token json.Token) string {
	switch token.(type) {
	case json.Delim:
		if token == json.Delim('{') {
			return "an object"
		}
		return "a list"
	case string:
		return "a text"
	case json.Number:
		return "a number"
	case bool:
		return "true or false"
	}
	return "null"
}
