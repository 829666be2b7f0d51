#!/bin/sh
# The smallest harness: it knows the Gaussian mechanism without sampling and says so where it cannot.
number() { printf '%s' "$line" | sed "s/.*\"$1\": \"*\([^\",}]*\).*/\1/"; }
while IFS= read -r line; do
  id=$(number id)
  if [ "$(number quantity)" = rdp ] && [ "$(number q)" = 1.0 ] && [ "$(number alpha)" != inf ]; then
    value=$(awk "BEGIN { printf \"%.17g\", $(number alpha) / (2 * $(number sigma) * $(number sigma)) }")
    printf '{"id": "%s", "value": %s}\n' "$id" "$value"
  else
    printf '{"id": "%s", "error": "only q = 1 and finite orders"}\n' "$id"
  fi
done
