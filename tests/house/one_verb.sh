#!/usr/bin/env bash
# A verb is one file and one line: cli/verbs/NAME.cpp holds all of it, cli/verbs/registry.def lists it, and no other
# code names it. Wherever messages and pages say `wave NAME`, there is a verb NAME.
# usage: one_verb.sh ROOT
set -euo pipefail
cd "$1"
failed=0
breach() { echo "$1"; failed=1; }

mapfile -t verbs < <(sed -n 's/^[A-Z]*(\([a-z]*\))$/\1/p' cli/verbs/registry.def)
((${#verbs[@]})) || { echo "cli/verbs/registry.def lists no verb"; exit 1; }

for verb in "${verbs[@]}"; do
  file=cli/verbs/$verb.cpp
  grep -qs "^Verb ${verb}_verb() {" "$file" || breach "$file does not define ${verb}_verb()"
  # Searches for the verb as a command of the program. A key of a document or the shape of a table may be the same word.
  while IFS= read -r line; do
    breach "$line: names the verb $verb, which only $file and the registry do"
  done < <(grep -rnE "\b${verb}_verb\b|[^(]\"$verb\"|[^y]\(\"$verb\"" --include='*.cpp' --include='*.h' --include='*.def' cli |
    grep -v "^$file:" | grep -v "case RowsShape::" | grep -vE '^[^:]*:[0-9]*: *//' || true)
done

for file in cli/verbs/*.cpp; do
  name=$(basename "$file" .cpp)
  ! grep -q "^Verb .*_verb() {" "$file" || [[ " ${verbs[*]} " == *" $name "* ]] || breach "$file is not in cli/verbs/registry.def"
done

known=" ${verbs[*]} help "
while IFS=: read -r file line text; do
  verb=${text#\`wave }
  [[ $known == *" $verb "* ]] || breach "$file:$line: there is no verb \`wave $verb\`"
done < <(grep -rnoP '(?<!`)`wave [a-z]+\b' --include='*.cpp' --include='*.h' --include='*.md' cli frontend analysis backend docs README.md)
exit $failed
