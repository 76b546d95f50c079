# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
#
# A package out of another Debian suite, or of another architecture, unpacked and
# not installed. apt works in directories of its own, so the machine's apt
# configuration, lists and cache stay as they are. Needs lib.sh, and no root.

# The state of the machine's apt that must be the same before and after, as far
# as its user may see it: folders of what is being fetched are apt's own.
apt_state()
{
	{
		find /etc/apt ! -readable -prune -o -type f \
			-exec sha256sum {} +
		find /var/lib/apt/lists /var/cache/apt/archives \
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
	python3 "${top:?}/scripts/apt-source.py" "$suite" >"$work/sources/private.list"
	say "$(sed 's/\[[^]]*\] //' "$work/sources/private.list")"
	export APT_CONFIG=$work/apt.conf
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
	apt-get -q update
	(cd "$work/archives" && apt-get -q download "$@")
	for package in "$@"; do
		dpkg-deb -x "$work/archives/${package}_"*.deb "$work/tree"
	done
	unset APT_CONFIG
}
