// Prints src/lang/template/runes_tables.cc: which characters Go's unicode package calls letters, digits, printable.
//
//	go run ./tables > ../../../src/lang/template/runes_tables.cc
package main

import (
	"fmt"
	"strings"
	"unicode"
)

func ranges(in func(rune) bool) []string {
	var out []string
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !in(r) {
			continue
		}
		first := r
		for r < unicode.MaxRune && in(r+1) {
			r++
		}
		out = append(out, fmt.Sprintf("{0x%X, 0x%X},", first, r))
	}
	return out
}

func table(name string, in func(rune) bool) {
	fmt.Printf("constexpr RuneRange k%s[] = {\n", name)
	line := "   "
	for _, text := range ranges(in) {
		if len(line)+1+len(text) > 100 {
			fmt.Println(line)
			line = "   "
		}
		line += " " + text
	}
	fmt.Printf("%s\n};\n", line)
}

func main() {
	fmt.Printf("// Unicode %s. Made by tests/oracle/template/tables; do not edit.\n", unicode.Version)
	fmt.Print("#include \"lang/template/runes.h\"\n\nnamespace slipway::lang::go {\nnamespace {\n\n// clang-format off\n")
	for _, t := range []struct {
		name string
		in   func(rune) bool
	}{{"Letters", unicode.IsLetter}, {"Digits", unicode.IsDigit}, {"Print", unicode.IsPrint}} {
		table(t.name, t.in)
	}
	fmt.Print("// clang-format on\n\n}  // namespace\n\n")
	for _, name := range []string{"Letter", "Digit", "Print"} {
		constant := map[string]string{"Letter": "kLetters", "Digit": "kDigits", "Print": "kPrint"}[name]
		fmt.Printf("std::span<const RuneRange> %s_ranges() { return %s; }\n", strings.ToLower(name), constant)
	}
	fmt.Print("\n}  // namespace slipway::lang::go\n")
}
