// Package numberscript has the script by which pages write numbers for people: reports, and the
// page of the server.
package numberscript

import _ "embed" // the script

// Script is JavaScript: the functions show, chance, placesOf and placed.
//
//go:embed numbers.js
var Script string
