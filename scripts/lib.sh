# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the scripts share: where the tree is, how they speak, how they take the
# time and how they become root. It decides nothing about what is done.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export top

say()
{
	printf '== %s\n' "$*"
}

die()
{
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
	exit 1
}

# Print how long a command took; its exit status is passed on.
timed()
{
	local name=$1 start=$EPOCHREALTIME status=0 took
	shift

	say "$name"
	"$@" || status=$?
	took=$(awk -v a="$start" -v b="$EPOCHREALTIME" \
		'BEGIN { printf "%.1f", b - a }')
	say "$name: $took s, status $status"
	stage_times+=("$(printf '%8s s  %s' "$took" "$name")")
	return "$status"
}

stage_times=()

print_times()
{
	say "times"
	[ "${#stage_times[@]}" -eq 0 ] || printf '%s\n' "${stage_times[@]}"
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "need root or sudo for: $*"
	fi
}
