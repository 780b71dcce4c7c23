#!/usr/bin/env bash
# Install mcp-contracts into a separate environment: the requested version, or that of this action.
# Reads VERSION and PYTHON; writes the output `folder`, which contains the programs.
set -euo pipefail

fail() {
  echo "::error title=mcp-contracts::$1"
  exit 2
}

python=${PYTHON:-python3}
command -v -- "$python" >/dev/null || fail "no Python found: add actions/setup-python before this action"
# Isolated (-I): a file of the checkout, such as venv.py, is never imported.
"$python" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "mcp-contracts requires Python 3.11 or newer: add actions/setup-python before this action"

source=$GITHUB_ACTION_PATH
if [ -n "${VERSION:-}" ]; then
  [[ $VERSION =~ ^[0-9A-Za-z.!+]+$ ]] || fail "the input \`version\` is not a version such as 1.2.0"
  source=mcp-contracts==$VERSION
fi

environment=$RUNNER_TEMP/mcp-contracts/environment
"$python" -I -m venv "$environment"
folder=$environment/bin
[ -d "$folder" ] || folder=$environment/Scripts # on Windows
"$folder/python" -I -m pip install --quiet --disable-pip-version-check "$source"
"$folder/mcp-contracts" --version
echo "folder=$folder" >>"$GITHUB_OUTPUT"
