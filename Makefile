# The commands of contract and README. CMake does the work (CMakePresets.json); this file only names it.
BUILD  ?= build
JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
ifdef CI
CMAKE_FLAGS += -DFIRN_WERROR=ON
endif

.PHONY: all build demo test interop bench validate debug cuda portable asan tsan fuzz format check-format tidy tidy-changed docs install clean packages packages-test packages-interop packages-develop

all: build

packages:
	@tools/packages.sh build
packages-test:
	@tools/packages.sh build test
packages-interop:
	@tools/packages.sh build test interop
packages-develop:
	@tools/packages.sh develop

build: packages
	@cmake --preset release -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS)

demo: build
	@tools/demo.sh $(BUILD)/firn out/demo

test: packages-test
	@cmake --preset tests -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS)
	@tools/check_cuda.sh
	@tools/run_tests.sh $(BUILD)

# Opens what we write in ParaView, Blender and OpenVDB.
interop: packages-interop
	@cmake --preset tests -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS) --target firn
	@tests/interop/run.sh $(BUILD)/firn

bench: build
	@$(BUILD)/firn bench

validate: build
	@mkdir -p out
	@$(BUILD)/firn validate --json out/validate.json

# Other builds, each in a folder of its own: build-debug, build-cuda, build-portable.
debug cuda portable: packages-test
	@cmake --preset $@ $(CMAKE_FLAGS)
	@cmake --build --preset $@ -j $(JOBS)

# Unit tests under sanitizers.
asan tsan: packages-test
	@cmake --preset $@
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

# Every fuzz target with a new seed, for about so many minutes in all.
MINUTES ?= 5
fuzz: packages-test
	@cmake --preset tests -B $(BUILD) $(CMAKE_FLAGS)
	@cmake --build $(BUILD) -j $(JOBS) --target fuzz_targets
	@tools/fuzz.sh $(BUILD) $(MINUTES)

format: packages-develop
	@git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format -i
check-format: packages-develop
	@git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format --dry-run --Werror

# All files, or those of the last commit.
tidy: packages-test packages-develop
	@tools/tidy.sh all
tidy-changed: packages-test packages-develop
	@tools/tidy.sh changed

docs: build
	@$(BUILD)/firn schema > scenes/schema.json
	@$(BUILD)/firn schema --markdown > docs/scenes.md
	@echo "scenes/schema.json and docs/scenes.md are up to date; the handbook is docs/*.md"

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

clean:
	@rm -rf build build-*
