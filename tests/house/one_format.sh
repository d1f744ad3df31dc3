#!/usr/bin/env bash
# Only cli/formats knows the output formats. A verb hands over a document, and asks for a format by the name that the
# user gave or by the ending of a file's name. So no other file of cli/ may name a format, include its header, call
# functions of that header, or write lines of a format itself.
# usage: one_format.sh ROOT
set -euo pipefail
cd "$1"
failed=0

# One word of --diagnostics is also the name of a format.
exceptions=" cli/options.cpp "

names=$(sed -n 's/^FORMAT(\([a-z_]*\))$/\1/p' cli/formats/formats.def | paste -sd '|')
# Matches `extern const FormatInfo csv_format{"csv", ".csv", ...`. The ending .txt is free, since any text file may have
# it.
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

# An exception that is no longer needed has to be removed from the list.
for file in $exceptions; do
  grep -qE "$word|$header|$part|$line" "$file" || { echo "$file knows no format: take it out of the exceptions"; failed=1; }
done
exit $failed
