#!/bin/sh
# Replaces the key in SERVICE_API_KEY. The arguments are a command that reads the new key from its
# standard input and stores it:
#   rotate-key.sh gh secret set SERVICE_API_KEY
#   rotate-key.sh glab variable update SERVICE_API_KEY
# The old key is revoked once the new one is stored. If that fails, the new one is revoked.
# If the old key expires, so does the new one, at the same time: store a key of scope full without an end.
set -eu

if [ $# -lt 1 ]; then
  echo "Usage: rotate-key.sh COMMAND [ARGUMENT ...], which stores the key from its standard input" >&2
  exit 2
fi

old_id=$(printenv SERVICE_API_KEY | board-access keys id)
new_key=$(board-access keys create --label "rotated $(date -u +%Y-%m-%d)")
new_id=$(printf '%s' "$new_key" | board-access keys id)

if ! printf '%s' "$new_key" | "$@"; then
  board-access keys revoke "$new_id" --yes
  echo 'The new key could not be stored. The old key remains valid.' >&2
  exit 1
fi

# The request uses the new key, which also checks that the key works.
SERVICE_API_KEY=$new_key board-access keys revoke "$old_id" --yes
