#!/usr/bin/env bash
# Builds the engine with its CUDA backend, checks that it agrees with the CPU, and times it: all that
# is asked of a machine with a GPU, nvcc, g++, cmake and ninja. Usage: tools/gpu.sh [PARTICLES]...
# With SANITIZE=1 in the environment compute-sanitizer looks for bad accesses and races as well.
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build-engine}
sizes=("$@")
[ ${#sizes[@]} -gt 0 ] || sizes=(1048576 4194304 8388608)

start=$SECONDS
cmake -S . -B "$build" -G Ninja -DFIRN_ENGINE_ONLY=ON -DFIRN_CUDA=ON >/dev/null
cmake --build "$build" --target firn_engine | tail -n 1
echo "built in $((SECONDS - start)) s"

status=0
echo "CPU and CUDA after 20 steps:"
"$build/firn_engine" agreement || status=1
# Every scene that ships, where tools/pack_scenes.py has packed them.
packs=(${PACKS:-out/packs}/*.firnpack)
if [ -e "${packs[0]}" ]; then
  "$build/firn_engine" agreement "${packs[@]}" || status=1
else
  echo "no packs of scenes in ${PACKS:-out/packs}: tools/pack_scenes.py makes them"
fi
"$build/firn_engine" growth || status=1
# The same bytes: again, step by step, from a checkpoint, and beside another world.
"$build/firn_engine" repeatability || status=1

if [ -n "${SANITIZE:-}" ]; then
  sanitize() { compute-sanitizer --error-exitcode 1 --tool "$@" | tail -n 1 || status=1; }
  for name in first two_balls_2d splash hourglass conveyor inflow_flip inflow_apic fig20_tank_cubic deforming_floor \
    varying_gravity periodic_chute; do
    pack=${PACKS:-out/packs}/$name.firnpack
    [ -e "$pack" ] || { echo "no $pack to look at" && status=1 && continue; }
    for tool in memcheck racecheck; do
      for mode in "" --deterministic; do
        echo "$tool $name $mode"
        sanitize "$tool" "$build/firn_engine" run "$pack" --device cuda $mode --steps 3
      done
    done
  done
  for name in emitter_and_sink "sph emitter_and_sink" "sph grains"; do
    echo "memcheck $name"
    sanitize memcheck "$build/firn_engine" agreement "$name"
  done
fi

# Milliseconds a step of claymore on an H200, by case and particles: the table to beat.
claymore() {
  case "$1 $2" in
    "drop_sand 1048576") echo 0.69 ;; "drop_sand 4194304") echo 1.61 ;; "drop_sand 8388608") echo 2.72 ;;
    "drop_fixed_corotated 1048576") echo 0.71 ;; "drop_fixed_corotated 4194304") echo 1.73 ;;
    "drop_fixed_corotated 8388608") echo 3.09 ;;
    "drop_fluid 1048576") echo 0.64 ;; "drop_fluid 4194304") echo 1.40 ;; "drop_fluid 8388608") echo 2.32 ;;
  esac
}
echo "case particles ms/step G-particle-steps/s B/particle times-claymore"
for size in "${sizes[@]}"; do
  for name in drop_sand drop_fixed_corotated drop_fluid; do
    line=$("$build/firn_engine" bench --device cuda --particles "$size" "$name")
    theirs=$(claymore "$name" "$size")
    # Rates are compared, since the box may hold a few particles more or less.
    echo "$line" | awk -v theirs="${theirs:-0}" -v size="$size" '{
      ratio = theirs > 0 ? sprintf("%.2f", $6 * 1e9 / (size / (theirs * 1e-3))) : "-"
      printf "%-22s %10d %9.4f %8.3f %6.0f %8s\n", $1, $2, $4, $6, $9, ratio }'
  done
done
exit $status
