#!/usr/bin/env bash
# Output formats are known in cli/formats alone: a verb hands over a document, and asks for a format by what it takes or
# by the ending of a file's name. So no other file of cli/ names a format, includes the header of one, calls what is in
# it, or writes the lines of one by itself.
# usage: one_format.sh ROOT
set -euo pipefail
cd "$1"
failed=0

# --diagnostics has a word in common with a format.
exceptions=" cli/options.cpp "

names=$(sed -n 's/^FORMAT(\([a-z_]*\))$/\1/p' cli/formats/formats.def | paste -sd '|')
# Of `extern const FormatInfo csv_format{"csv", ".csv", ...`. Any text file may end in .txt.
words=$(sed -nE 's/^extern const FormatInfo [a-z_]+\{"([a-z]+)", "\.([a-z]+)".*/\1\n\\.\2/p' cli/formats/*.cpp | grep -vxF '\.txt' | sort -u | paste -sd '|')
[[ $names && $words ]] || { echo "no formats are found in cli/formats"; exit 1; }

word="\"($words)\""                                      # Format("csv"), has_ending(file, ".json")
header="#include \"cli/formats/($names)\\.h\""
part="\\b($names)_(format|notation|field|string)\\b"     # csv_format, csv_field, json_string
line='\{\\"|\\": |"\\",\\""'                             # "{\"key\": ", fields between quotes and commas

while IFS= read -r found; do
  file=${found%%:*}
  [[ $exceptions == *" $file "* ]] && continue
  echo "$found: knows a format, as only cli/formats does"
  failed=1
done < <(grep -rnE "$word|$header|$part|$line" --include='*.cpp' --include='*.h' cli |
  grep -v '^cli/formats/' | grep -vE '^[^:]*:[0-9]*: *//' || true)

# An exception that none needs is to be taken out of the list.
for file in $exceptions; do
  grep -qE "$word|$header|$part|$line" "$file" || { echo "$file knows no format: take it out of the exceptions"; failed=1; }
done
exit $failed
