#!/bin/sh
# Leases a board of a type and runs a test on it, in any CI that has a shell:
#   job.sh arduino-uno ./test-on-board.sh
# The test gets the ID of the lease, for `board-access flash` and `board-access console`, and an API
# key. At the end, the board is released and the key is revoked.
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

lease=
key_id=
end() {
  if [ -n "$lease" ]; then board-access leases release "$lease"; fi
  if [ -n "$key_id" ]; then board-access keys revoke "$key_id" --yes; fi
}
trap end EXIT

# If the job is killed, the lease ends by itself after these minutes.
lease=$(board-access leases create --type "$board_type" --minutes "${LEASE_MINUTES:-30}" \
  --wait "${LEASE_WAIT:-10m}" --requires-agent --label "job ${CI_JOB_ID:-by hand}")
key=$(board-access keys create --label "job ${CI_JOB_ID:-by hand}" --scope boards --expires-in 1d)
key_id=$(printf '%s' "$key" | board-access keys id)

SERVICE_API_KEY="$key" "$@" "$lease"
