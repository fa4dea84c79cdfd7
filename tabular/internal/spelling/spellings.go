package spelling

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// This file is the place for a new spelling of a number, sign of missing, truth value or month:
// each is a line of a table. TestSpellings reads every line in every format.

// A spelling is a way to write numbers that means one thing only.
type spelling struct {
	Name    string // "numbers are written" Name
	Example string
	needs   string // the text has one of these characters; "" for any that is not ASCII
	plain   func(text string) string
}

// Spellings are the ways to write numbers, besides separators and units (CutUnit, PlainNumber).
// They apply one after another.
var Spellings = []spelling{
	{"as formulas or texts of a spreadsheet", `="-1.5"`, `='`, rewrite(`^(?:="(.*)"|'(.*))$`, "$1$2")},
	{"with powers of ten", "-15×10⁻¹", "x×·*", powersOfTen},
	{"with full-width characters", "－１．５", "", halfWidth},
	{"with digits of another script", "-١.٥", "", asciiDigits},
	{"with another decimal sign", "-1·5", "·٫", rewrite(`^([^·٫]*\d)[·٫](\d+)(\D*)$`, "$1.${2}0000$3")},
	{"with a dash for the minus sign", "−1.5", "‐‑‒–—―−﹣",
		rewrite(`^([^\d\-‐‑‒–—―−﹣]*)[‐‑‒–—―−﹣][ \x{a0}]?(\W?[\d.,].*)$`, "$1-$2")},
	{"with the minus sign at the end", "1.5-", "-", rewrite(`^([^\-+()]*\d\W{0,3}?) ?-$`, "-$1")},
	{"in parentheses for the minus sign", "(1.5)", "(",
		rewrite(`^(\W?)\(([^()\-]*\d[^()]*)\)$`, "-$1$2")},
	{CreditName, "1.5 CR", "rR", rewrite(`(?i)^([^\-]*\d) ?cr\.?$`, "-$1")},
	{DebitName, "1.5 DR", "dD", rewrite(`(?i)^([^\-]*\d) ?d[rb]\.?$`, "$1")},
	{"with D in exponents", "-15D-01", "dD", rewrite(`^(.*\d[.,]?)[dD]([+\-]?\d{1,3})$`, "${1}e$2")},
	{"with underscores between digits", "-1_500", "_", joinUnderscores},
}

// The names of Spellings that need each other: without the other, "5 Cr" may be ten millions.
const CreditName, DebitName = "with CR for credit, which is negative",
	"with DR for debit, which is positive"

// rewrite replaces a text that matches a pattern.
func rewrite(pattern, plain string) func(string) string {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
	return func(text string) string { return compiled().ReplaceAllString(text, plain) }
}

// underscored and powered are numbers with underscores, and with powers of ten.
var underscored = regexp.MustCompile(`^\D{0,2}\d{1,3}(?:_\d{3})+(?:\D.*)?$`)
var powered = regexp.MustCompile(`^(.*\d) ?[x×·*] ?10\^\(?([+\-−]?\d{1,3})\)?$`)

// joinUnderscores removes the underscores between groups of digits.
func joinUnderscores(text string) string {
	if !underscored.MatchString(text) {
		return text
	}
	return strings.ReplaceAll(text, "_", "")
}

// superscripts are raised signs and digits, and what they mean.
var superscripts = strings.NewReplacer("⁻", "-", "⁺", "+", "⁰", "0", "¹", "1", "²", "2", "³", "3",
	"⁴", "4", "⁵", "5", "⁶", "6", "⁷", "7", "⁸", "8", "⁹", "9")

// powersOfTen writes 15×10⁻¹ and 15x10^-1 as 15e-1.
func powersOfTen(text string) string {
	if at := strings.Index(text, "10"); at > 0 && !strings.Contains(text, "^") {
		if power := superscripts.Replace(text[at+2:]); power != text[at+2:] {
			return powersOfTen(text[:at] + "10^" + power)
		}
	}
	return strings.Replace(powered.ReplaceAllString(text, "${1}e$2"), "e−", "e-", 1)
}

// halfWidth replaces full-width characters by those of ASCII.
func halfWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, text)
}

// asciiDigits replaces digits of other scripts, and drops the Arabic sign between thousands.
// Unicode lists the ten digits of a script in order.
func asciiDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '٬' {
			return -1
		}
		if r < unicode.MaxASCII || !unicode.Is(unicode.Nd, r) {
			return r
		}
		zero := r
		for unicode.Is(unicode.Nd, zero-1) {
			zero--
		}
		return '0' + (r-zero)%10
	}, text)
}

// Spelled is a set of Spellings, a bit each.
type Spelled uint32

// respell writes a number in the usual way. It returns the Spellings that the text has.
func respell(text string) (string, Spelled) {
	text = strings.Trim(text, spaces)
	how := Spelled(0)
	ascii := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
	for i, s := range Spellings {
		if s.needs == "" && ascii || s.needs != "" && !strings.ContainsAny(text, s.needs) {
			continue
		}
		if plain := s.plain(text); plain != text {
			text, how = strings.Trim(plain, spaces), how|1<<i
		}
	}
	return text, how
}

// MissingSigns are the texts that mean a missing value in a column whose other cells are numbers,
// dates or truth values, besides ReadOptions.NA; in lower case.
var MissingSigns = []string{"?", "??", "???", ".", "..", "...", "…", "-", "--", "---", "–", "—",
	"−", "*", "#", "n/a", "na", "n.a.", "n.a", "nan", "<na>", "[na]", "(na)", "null", "(null)",
	"<null>", "nil", "none", `\n`, "nat", "missing", "(missing)", "[missing]", "unknown",
	"(unknown)", "not available", "not applicable", "not recorded", "no data", "blank", "(blank)",
	"empty", "(empty)", "#n/a", "#n/a n/a", "#na", "#div/0!", "#value!", "#ref!", "#name?", "#num!",
	"#null!", "#error!", "#wert!", "#bezug!", "#nv", "#zahl!", "k.a.", "k. a.", "-nan", "1.#qnan",
	"-1.#ind", "1.#ind", "nd", "n.d.", "n/d"}

var signSet = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, sign := range MissingSigns {
		set[sign] = true
	}
	return set
})

// IsMissingSign reports whether a text is one of MissingSigns in any case.
func IsMissingSign(text string) bool {
	if text = strings.Trim(text, spaces); text == "" || len(text) > 16 {
		return false
	}
	return signSet()[strings.ToLower(text)]
}

// Truths are the spellings of truth values in lower case: true, then false.
var Truths = [][2]string{{"true", "false"}, {"t", "f"}, {"yes", "no"}, {"y", "n"}, {"1", "0"},
	{"on", "off"}, {"x", ""}, {"wahr", "falsch"}, {"ja", "nein"}, {"j", "n"}, {"vrai", "faux"},
	{"oui", "non"}, {"verdadero", "falso"}, {"sí", "no"}, {"si", "no"}, {"vero", "falso"},
	{"verdadeiro", "falso"}, {"sim", "não"}, {"waar", "onwaar"}, {"ja", "nee"}, {"ja", "nej"},
	{"да", "нет"}, {"истина", "ложь"}, {"是", "否"}, {"はい", "いいえ"}}

// TruthOf returns the truth value of a text in any known spelling, and whether it has one.
func TruthOf(text string) (value, ok bool) {
	if text = Fold(Canonical(Trim(text))); text == "" {
		return false, false
	}
	for _, pair := range Truths {
		if text == pair[0] || text == pair[1] {
			return text == pair[0], true
		}
	}
	return false, false
}

// ParseTruth reads true and false in any case.
func ParseTruth(text string) (value, ok bool) {
	text = Trim(text)
	value = strings.EqualFold(text, "true")
	return value, value || strings.EqualFold(text, "false")
}

// invisible removes characters such as a byte order mark and a soft hyphen.
var invisible = runes.Remove(runes.In(unicode.Cf))

// Fold returns the form that texts share which differ only by case, spaces, invisible characters
// and the encoding of characters in Unicode.
func Fold(text string) string {
	text = invisible.String(norm.NFKC.String(text))
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

// MonthNames are the names of months, January first, a language a line. A word of three letters or
// more that begins names of one month only means that month.
var MonthNames = []string{
	"january february march april may june july august september october november december",
	"januar februar märz april mai juni juli august september oktober november dezember",
	"jänner feber maerz",
	"janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
	"enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
	"gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
	"janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
	"januari februari maart april mei juni juli augustus september oktober november december",
}

// Months maps beginnings of names to months, 0 where two months share one.
var Months = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for _, language := range MonthNames {
		for i, name := range strings.Fields(language) {
			letters := []rune(name)
			for n := 3; n <= len(letters); n++ {
				start := string(letters[:n])
				if at, known := all[start]; known && at != i+1 {
					all[start] = 0
				} else {
					all[start] = i + 1
				}
			}
		}
	}
	all["sept"], all["juil"] = 9, 7
	return all
})
