package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// readingSetting are the flags that say how tables are read and what members read, by name, as far
// as they are not the default ones, which KeepSetting takes for a name that is not there.
func (o *contextOptions) readingSetting() map[string]string {
	setting := map[string]string{"encoding": string(o.read.Encoding), "sheet": o.read.Sheet}
	if o.read.Format != tabular.Auto {
		setting["from"] = o.read.Format.String()
	}
	if o.read.Delimiter != 0 {
		setting["delimiter"] = string(o.read.Delimiter)
	}
	if o.read.Decimal != 0 {
		setting["decimal"] = string(o.read.Decimal)
	}
	if o.read.NA != nil {
		setting["na"] = missingTexts(o.read.NA)
	}
	if o.read.HeaderRow != 0 {
		setting["header-row"] = strconv.Itoa(o.read.HeaderRow)
	}
	if o.fit.Dates != tabular.CalendarDates {
		setting["dates"] = string(o.fit.Dates)
	}
	if o.fit.KeepRepeated {
		setting["repeated"] = "keep"
	}
	if o.fit.Values != nil {
		setting["target-values"] = o.fit.Values.String()
	}
	if o.noFingerprint {
		setting["no-fingerprint"] = strconv.FormatBool(true)
	}
	return setting
}

// missingTexts lists the texts of --na in order; the empty cell makes it other than no text at all.
func missingTexts(texts []string) string {
	var items []string
	for _, text := range slices.Sorted(slices.Values(texts)) {
		items = append(items, fault.Item(text))
	}
	return strings.Join(append(items, ""), ",")
}
