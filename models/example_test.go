package models_test

import (
	"errors"
	"fmt"

	"github.com/pfnamp/pfnamp/models"
)

func ExampleDefault() {
	bundle, err := models.Default()
	if err != nil {
		fmt.Println(err)
		return
	}
	m := bundle.Manifest
	fmt.Println(m.Name, m.Family, m.Task, m.Head.Kind)
	// Output: pfnamp-default tabicl regression quantiles
}

// Every error says what is wrong and how to put it right.
func ExampleLoad() {
	_, err := models.Load("no-such-folder")
	if bad, ok := errors.AsType[*models.Error](err); ok {
		fmt.Println(bad.Bundle, "|", bad.Msg, "|", bad.Hint)
	}
	// Output: no-such-folder | cannot open the folder | name a folder with a manifest.json
}
