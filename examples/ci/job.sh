#!/bin/sh
# Tests on the first free board of a type, from any CI that has a shell:
#   job.sh esp32-s3 ./test-on-board.sh
# The test is given the id of the board, and a key of its own that is revoked when it ends.
set -eu

if [ $# -lt 2 ]; then
  echo "Usage: job.sh BOARD_TYPE COMMAND [ARGUMENT ...]" >&2
  exit 2
fi
board_type=$1
shift
# A job that is cancelled gets a signal, and not every shell runs its EXIT trap then.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

boards=$(board-access boards list --type "$board_type" --status available)
board_id=$(printf '%s\n' "$boards" | awk 'NR == 2 { print $1 }')
if [ -z "$board_id" ]; then
  echo "No $board_type is free." >&2
  exit 3
fi

key=$(board-access keys create --label "job ${CI_JOB_ID:-by hand}")
key_id=$(printf '%s' "$key" | board-access keys id)
trap 'board-access keys revoke "$key_id" --yes' EXIT

SERVICE_API_KEY="$key" "$@" "$board_id"
