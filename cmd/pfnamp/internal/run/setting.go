package run

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// ReadingSetting are the flags that say how tables are read and what members read, by name, as far
// as they are not the default ones, which KeepSetting takes for a name that is not there.
func (o *Options) ReadingSetting() map[string]string {
	setting := map[string]string{"encoding": string(o.Read.Encoding), "sheet": o.Read.Sheet}
	if o.Read.Format != tabular.Auto {
		setting["from"] = o.Read.Format.String()
	}
	if o.Read.Delimiter != 0 {
		setting["delimiter"] = string(o.Read.Delimiter)
	}
	if o.Read.Decimal != 0 {
		setting["decimal"] = string(o.Read.Decimal)
	}
	if o.Read.NA != nil {
		setting["na"] = missingTexts(o.Read.NA)
	}
	if o.Read.HeaderRow != 0 {
		setting["header-row"] = strconv.Itoa(o.Read.HeaderRow)
	}
	if o.Fit.Dates != tabular.CalendarDates {
		setting["dates"] = string(o.Fit.Dates)
	}
	if o.Fit.KeepRepeated {
		setting["repeated"] = "keep"
	}
	if o.Fit.Values != nil {
		setting["target-values"] = o.Fit.Values.String()
	}
	if o.NoFingerprint {
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
