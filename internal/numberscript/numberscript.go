// Package numberscript has the script that formats numbers for people in reports and on the
// server's page.
package numberscript

import _ "embed" // the script

// Script is JavaScript: the functions show, chance, placesOf and placed.
//
//go:embed numbers.js
var Script string
