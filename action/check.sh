#!/usr/bin/env bash
# Lint, and compare with the base. Writes annotations to the log, SARIF files, and a report that is also the summary.
# Reads FOLDER, PATHS, AGAINST, BASE, POLICY and FAIL_ON; writes the outputs of the action. Findings do not fail it.
set -euo pipefail

reports=$(mktemp -d "$RUNNER_TEMP/mcp-contracts-reports.XXXXXX")
report=$reports/report.md
exit_code=0

# check NAME OPTION...: run a command for annotations, SARIF and Markdown, and set `code` to its exit code.
check() {
  local name=$1 errors=$reports/$1.errors
  shift
  code=0
  "$FOLDER/mcp-contracts" "$name" --format github --report "sarif=$reports/$name.sarif" \
    --report "markdown=$reports/$name.md" "$@" 2>"$errors" || code=$?
  cat "$errors" >&2
  if [ "$code" -le 1 ]; then
    echo "$name-sarif=$reports/$name.sarif" >>"$GITHUB_OUTPUT"
  else
    printf '## Tool contracts: `%s` could not run\n\n' "$name" >"$reports/$name.md"
    sed 's/^/    /' "$errors" >>"$reports/$name.md" # indented text is code
  fi
  [ "$code" -le "$exit_code" ] || exit_code=$code
}

common=()
[ -z "${FAIL_ON:-}" ] || common+=(--fail-on "$FAIL_ON")
sources=()
while IFS= read -r path; do
  path=${path%$'\r'}
  [ -z "${path//[[:space:]]/}" ] || sources+=("$path")
done <<<"${PATHS:-}"

# The base of a pull request is missing in a shallow clone. A branch that is behind is compared with its merge base.
against=${AGAINST:-}
if [ -z "$against" ] && [ -n "${BASE:-}" ]; then
  git cat-file -e "$BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$BASE"
  against=$(git merge-base HEAD "$BASE" 2>/dev/null || echo "$BASE")
  against=$(git rev-parse --short "$against")
fi

# `${array[@]+"…"}`: the bash of macOS treats an empty array as an unset variable.
if [ -n "$against" ]; then
  compare=(--against "$against")
  [ -z "${POLICY:-}" ] || compare+=(--policy "$POLICY")
  check diff "${compare[@]}" ${common[@]+"${common[@]}"} -- ${sources[@]+"${sources[@]}"}
else
  echo "nothing to compare with: set the input \`against\` to a revision"
fi
check lint --quiet ${common[@]+"${common[@]}"} -- ${sources[@]+"${sources[@]}"}

# The comparison comes first. A lint report without failures is only added if nothing was compared.
if [ ! -e "$reports/diff.md" ]; then
  cp "$reports/lint.md" "$report"
else
  cp "$reports/diff.md" "$report"
  if [ "$code" -gt 0 ]; then
    echo >>"$report"
    if [ "$(cat "$reports/diff.md" "$reports/lint.md" | wc -c)" -le 65000 ]; then # GitHub's limit for a comment
      cat "$reports/lint.md" >>"$report"
    else
      echo 'The findings of `mcp-contracts lint` are **omitted** because of their size; see the log of the job.' >>"$report"
    fi
  fi
fi
{
  echo
  echo '<sub>[mcp-contracts](https://github.com/mcp-contracts/mcp-contracts) checks the tools that agents call.</sub>'
} >>"$report"
cat "$report" >>"$GITHUB_STEP_SUMMARY"

# A comment is news if a tool changed or something fails. SARIF indents its results, and an empty list is `[]`.
is_news=true
if [ "$exit_code" = 0 ] && ! grep -qs '^ *"results": \[$' "$reports/diff.sarif"; then
  is_news=false
fi
{
  echo "report=$report"
  echo "is-news=$is_news"
  echo "exit-code=$exit_code"
} >>"$GITHUB_OUTPUT"
