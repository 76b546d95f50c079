# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# What the scripts share: where the tree is, how they speak, how they end, how
# they take the time and how they become root. It decides nothing about what is
# done. It is to be read after "set -euo pipefail".

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

# Nothing ends without a reason: bash itself says none when "set -e" does it. In
# a function, a pipe or a substitution this is said once for each that ends.
say_why()
{
	local status=$1 line=$2 command=$3 file=${BASH_SOURCE[1]}

	# of a function that was left: the line that called it
	[[ $command != return* ]] ||
		command=$(sed -n "${line}s/^[[:space:]]*//p" "$file")
	printf '%s: line %s: "%s" ended with status %s\n' \
		"$file" "$line" "${command%%$'\n'*}" "$status" >&2
}

set -o errtrace
trap 'say_why "$?" "$LINENO" "$BASH_COMMAND"' ERR

# bash itself, sudo, pmud and its machines look into /proc; a chroot may have
# none.
[ -e /proc/self/fd ] || die "/proc is not there: mount -t proc proc /proc"

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
