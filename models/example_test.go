package models_test

import (
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

func ExampleLoad() {
	_, err := models.Load("no-such-folder")
	fmt.Println(err != nil)
	// Output: true
}
