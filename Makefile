# The commands of contract and README. CMake does the work; this file only names it.
BUILD  ?= build
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
ifdef CI
CMAKE_FLAGS += -DFIRN_WERROR=ON
endif

.PHONY: all build demo test interop check-cuda bench validate fuzz asan tsan format tidy docs install clean packages packages-test packages-interop

all: build

packages:
	@tools/packages.sh build
packages-test:
	@tools/packages.sh build test
packages-interop:
	@tools/packages.sh build test interop

build: packages
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS) -DFIRN_TESTS=OFF
	@cmake --build $(BUILD) -j $(JOBS)

demo: build
	@tools/demo.sh $(BUILD)/firn out/demo

test: packages-test
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS) -DFIRN_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/check_cuda.sh
	@tools/run_tests.sh $(BUILD)

# Opens what we write in ParaView, Blender and OpenVDB.
interop: packages-interop
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS) --target firn
	@tests/interop/run.sh $(BUILD)/firn

bench: build
	@$(BUILD)/firn bench

validate: build
	@mkdir -p out
	@$(BUILD)/firn validate --json out/validate.json

# Unit tests under sanitizers, each in a build of its own.
asan tsan: packages-test
	@cmake -S . -B build-$@ -G Ninja -DFIRN_SANITIZE=$(if $(filter asan,$@),address$(comma)undefined,thread) \
	  -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFIRN_CUDA=OFF
	@cmake --build build-$@ -j $(JOBS) --target unit_tests
	@ctest --test-dir build-$@ --output-on-failure --no-tests=error -L unit

# Every fuzz target with a new seed, for about so many minutes in all.
MINUTES ?= 5
fuzz: packages-test
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS) -DFIRN_TESTS=ON
	@cmake --build $(BUILD) -j $(JOBS) --target fuzz_targets
	@tools/fuzz.sh $(BUILD) $(MINUTES)

comma := ,

format:
	@tools/packages.sh develop
	@git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format -i

tidy: packages-test
	@tools/packages.sh develop
	@cmake -S . -B build-tidy -G Ninja -DCMAKE_BUILD_TYPE=Release
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | xargs clang-tidy -p build-tidy --quiet

docs: build
	@$(BUILD)/firn schema > scenes/schema.json
	@$(BUILD)/firn schema --markdown > docs/scenes.md
	@echo "scenes/schema.json and docs/scenes.md are up to date; the handbook is docs/*.md"

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf build build-*
