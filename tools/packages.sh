#!/usr/bin/env bash
# Installs the missing packages of packages.txt up to and including the section given.
set -eu
cd "$(dirname "$0")/.."
last=${1:-build}
wanted=$(awk -v last="$last" '
  /^#/ || NF == 0 { next }
  /^\[/ { if (done) exit; if ($0 == "[" last "]") done = 1; next }
  { print $1 }' packages.txt)
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
