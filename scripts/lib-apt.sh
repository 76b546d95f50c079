# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# A package out of another Debian suite, or of another architecture, unpacked and
# not installed. apt works in directories of its own, so the machine's apt
# configuration, lists and cache stay as they are. Needs lib.sh, and no root.

# The state of the machine's apt that must be the same before and after, as far
# as its user may see it: folders of what is being fetched are apt's own. Where
# apt_root is set, it is the state below that folder.
apt_state()
{
	local root=${apt_root:-}

	{
		find "$root/etc/apt" ! -readable -prune -o -type f \
			-exec sha256sum {} +
		find "$root/var/lib/apt/lists" "$root/var/cache/apt/archives" \
			! -readable -prune -o -type f -printf '%p %s %T@\n'
	} | sort | sha256sum
}

# The machine's settings (a proxy, say) hold, but not its sources, its pins and
# the commands that it hangs on an update.
private_apt()
{
	local work=$1 suite=$2

	mkdir -p "$work"/{parts,sources,lists/partial,archives/partial,empty}
	for file in /etc/apt/apt.conf.d/*; do
		[ ! -f "$file" ] || ln -s "$file" "$work/parts/"
	done
	[ ! -f /etc/apt/apt.conf ] || ln -s /etc/apt/apt.conf "$work/parts/zy-machine"
	cat >"$work/parts/zz-private" <<-EOF
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	#clear DPkg::Post-Invoke;
	#clear Acquire::IndexTargets::deb::DEP-11;
	APT::Sandbox::User "root";
	APT::Install-Recommends "false";
	Acquire::Languages { "none"; };
	Dir::Etc::SourceList "/dev/null";
	Dir::Etc::SourceParts "$work/sources";
	Dir::Etc::Preferences "/dev/null";
	Dir::Etc::PreferencesParts "$work/empty";
	Dir::State::Lists "$work/lists";
	Dir::State::Status "$work/status";
	Dir::Cache "$work";
	Dir::Cache::Archives "$work/archives";
	EOF
	cat >"$work/apt.conf" <<-EOF
	Dir::Etc::Parts "$work/parts";
	Dir::Etc::Main "/dev/null";
	EOF
	: >"$work/status"
	private_source "$work" "$suite"
	export APT_CONFIG=$work/apt.conf
}

# Where private_apt's packages come from; with $source_packages those of source.
private_source()
{
	local work=$1 suite=$2

	python3 "${top:?}/scripts/apt-source.py" ${source_packages:+--source} \
		"$suite" >"$work/sources/private.list"
	say "$(sed 's/\[[^]]*\] //' "$work/sources/private.list")"
}

# Other names that the archive may have for a suite, one a line. Those that name
# another release are sorted out by what their lists say.
other_names()
{
	local base=${1%%-*} name
	local rest=${1#"$base"}

	case $base in
	sid) echo "unstable$rest" ;;
	unstable | testing | stable | oldstable) ;;
	*)
		for name in stable oldstable testing; do
			echo "$name$rest"
		done
		;;
	esac
}

# Whether lists are those of a suite, whatever name they were fetched by.
lists_are_of()
{
	grep -qxsE "(Codename|Suite): $2" "$1"/lists/*_*Release
}

# update_lists WORK SUITE: fetches the lists of a suite, after private_apt. A
# mirror that is being updated can have a new index beside old lists for days,
# which apt rightly refuses; by another name of the same suite they may still
# agree.
update_lists()
{
	local work=$1 suite=$2 name

	apt-get -qq update && return
	for name in $(other_names "$suite"); do
		say "the archive's lists of $suite do not agree; as $name:"
		rm -rf "$work/lists"
		mkdir -p "$work/lists/partial"
		private_source "$work" "$name"
		! apt-get -qq update || ! lists_are_of "$work" "$suite" || return 0
	done
	die "no lists of $suite can be had from the archive; try again later"
}

# For packages of another architecture, after private_apt.
foreign_apt()
{
	local work=$1 arch=$2

	cat >>"$work/parts/zz-private" <<-EOF
	#clear APT::Architectures;
	APT::Architecture "$arch";
	APT::Architectures { "$arch"; };
	EOF
}

# The packages that installing these on an empty machine would bring, one a
# line. Only a simulation takes no lock.
closure_of()
{
	apt-get -qq -s install "$@" | awk '$1 == "Inst" { print $2 }' | sort
}

# fetch_package WORK SUITE PACKAGE...: unpacks them into WORK/tree.
fetch_package()
{
	local work=$1 suite=$2 package
	shift 2

	private_apt "$work" "$suite"
	update_lists "$work" "$suite"
	(cd "$work/archives" && apt-get -q download "$@")
	for package in "$@"; do
		dpkg-deb -x "$work/archives/${package}_"*.deb "$work/tree"
	done
	unset APT_CONFIG
}

# fetch_source WORK SUITE PACKAGE: a source package, into WORK/archives.
fetch_source()
{
	local work=$1 suite=$2 package=$3 source_packages=yes

	private_apt "$work" "$suite"
	update_lists "$work" "$suite"
	(cd "$work/archives" && apt-get -q source --download-only "$package")
	unset APT_CONFIG
}
