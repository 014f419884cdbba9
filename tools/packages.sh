#!/usr/bin/env bash
# packages.sh SECTION...: installs the missing packages of these sections of packages.txt.
set -eu
cd "$(dirname "$0")/.."
wanted=$(awk -v sections=" ${*:-build} " '
  /^#/ || NF == 0 { next }
  /^\[/ { name = substr($0, 2, length($0) - 2); chosen = index(sections, " " name " ") > 0; next }
  chosen { print $1 }' packages.txt)
missing=""
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -z "$missing" ] && exit 0
echo "installing:$missing"
sudo=""
[ "$(id -u)" -eq 0 ] || sudo=sudo
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
