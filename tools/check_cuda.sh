#!/usr/bin/env bash
# Device code compiles wherever nvcc is found: the models and small matrices, for float and double,
# for the oldest GPUs that are built for and for those of the figures.
set -eu
cd "$(dirname "$0")/.."
if ! command -v nvcc >/dev/null 2>&1; then
  echo "CUDA: nvcc not found, device code is not compiled"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
nvcc -std=c++20 --expt-relaxed-constexpr -diag-suppress=20012 -gencode arch=compute_75,code=sm_75 \
  -gencode arch=compute_90,code=sm_90 -Isrc -c tests/cuda/models.cu -o "$out/models.o"
echo "CUDA: device code of the models compiles"
