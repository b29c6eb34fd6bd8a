# A thin door over the CMake presets. `make` installs what is missing and builds the program at
# build/release/dpvi; `make demo`, `make test` and the others do that first.
BUILD := build/release
JOBS  ?= $(shell nproc)
CMAKE_BUILD = cmake --build --preset

.PHONY: all program demo example test test-slow bench format lint clean packages

all: program

packages:
	@tools/install_packages build

program: packages
	@test -f $(BUILD)/build.ninja || cmake --preset release
	@$(CMAKE_BUILD) release --target dpvi_program -j $(JOBS)

demo: program
	@tools/demo $(BUILD)/dpvi

# One of examples/: make example NAME=asthma
example: program
	@examples/run $(NAME) $(BUILD)/dpvi

test:
	@tools/install_packages build test
	@test -f $(BUILD)/build.ninja || cmake --preset release
	@$(CMAKE_BUILD) release -j $(JOBS)
	-@tools/python_env
	@tools/run_tests $(BUILD) -j $(JOBS)

test-slow:
	@tools/install_packages build test
	@tools/test_slow $(JOBS)

bench:
	@tools/install_packages build test
	@test -f $(BUILD)/build.ninja || cmake --preset release
	@$(CMAKE_BUILD) release -j $(JOBS)
	@for program in $(BUILD)/benchmarks/*; do [ -x $$program ] && [ -f $$program ] && { echo "== $$program"; $$program || exit 1; }; done

format:
	@tools/install_packages lint
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format-16 -i

lint:
	@tools/install_packages build test lint
	@tools/lint $(JOBS)

clean:
	rm -rf build
