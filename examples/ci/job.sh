#!/bin/sh
# Runs a test on the first free board of a type, in any CI that has a shell:
#   job.sh esp32-s3 ./test-on-board.sh
# The test gets the ID of the board, and an API key that is revoked when it ends.
set -eu

if [ $# -lt 2 ]; then
  echo "Usage: job.sh BOARD_TYPE COMMAND [ARGUMENT ...]" >&2
  exit 2
fi
board_type=$1
shift
# A cancelled job gets a signal, and not every shell runs its EXIT trap then.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

boards=$(board-access boards list --type "$board_type" --status available --fail-if-empty)
board_id=$(printf '%s\n' "$boards" | awk 'NR == 2 { print $1 }')

key=$(board-access keys create --label "job ${CI_JOB_ID:-by hand}")
key_id=$(printf '%s' "$key" | board-access keys id)
trap 'board-access keys revoke "$key_id" --yes' EXIT

SERVICE_API_KEY="$key" "$@" "$board_id"
