# Shortcuts for the CMake presets. `make` installs the Debian packages that the program needs and
# builds it at build/release/dpvi; `make demo`, `make example` and `make install` do that first.
# `make test` and the other targets also install the packages of the tests and add the tests to the
# same build folder.
BUILD := build/release
JOBS  ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_BUILD = cmake --build --preset
# Builds and tests the Python package if tools/python_env could install its environment.
PYTHON_PACKAGE = $(shell .venv/bin/python -m nanobind --version >/dev/null 2>&1 && \
  echo -DDPVI_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/.venv/bin/python)

.PHONY: all program r-package demo example install everything test-environment test test-slow test-release wheel bench \
        bench-check format lint \
        lint-core clean packages

all: program

packages:
	@tools/install_packages build

# A configured folder may also hold the tests, so it is not configured again.
program: packages
	@test -f $(BUILD)/build.ninja || cmake --preset program
	@$(CMAKE_BUILD) release --target dpvi_program -j $(JOBS)

demo: program
	@tools/demo $(BUILD)/dpvi

# Runs one of examples/: make example NAME=asthma
example: program
	@examples/run $(NAME) $(BUILD)/dpvi

# Installs the program, the library and its headers: make install PREFIX=$HOME/.local
install: program
	@DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(PREFIX)'

# A target of its own, because make reads PYTHON_PACKAGE before it starts the commands of `everything`.
test-environment:
	@tools/install_packages build test
	-@tools/install_packages mpi
	-@tools/python_env

# Builds the program, the tests and the benchmarks. Configuring again adds what a `make` folder
# lacks.
everything: test-environment
	@cmake --preset release $(PYTHON_PACKAGE)
	@$(CMAKE_BUILD) release -j $(JOBS)

test: everything
	-@tools/browser_env
	@tools/run_tests $(BUILD) -j $(JOBS)

test-slow:
	@tools/install_packages build test
	@tools/test_slow $(JOBS)

# Builds and checks the R package; installs R and its packages (about 105 MB).
r-package: packages
	@test -f $(BUILD)/build.ninja || cmake --preset program
	@tools/r_package $(BUILD)

# Run before a release; takes about four hours.
test-release:
	@tools/install_packages build test lint
	@tools/test_release $(JOBS)

# Builds a wheel of the Python package for python3 and tests it alone.
wheel: packages
	@tools/wheel

bench: everything
	@for program in $(BUILD)/benchmarks/*; do [ -x $$program ] && [ -f $$program ] && { echo "== $$program"; $$program || exit 1; }; done

# Counts the instructions of six fixed jobs and compares them with the numbers in the tree; takes
# a few minutes. tools/bench_check --update stores new numbers.
bench-check: program
	@tools/install_packages bench
	@tools/bench_check $(BUILD)

format:
	@tools/install_packages lint
	@git ls-files -co --exclude-standard '*.cpp' '*.hpp' | xargs clang-format-16 -i

lint:
	@tools/install_packages build test lint
	@tools/lint $(JOBS)

# Lints the code that privacy depends on and what changed last; takes a few minutes.
lint-core:
	@tools/install_packages build test lint
	@tools/lint $(JOBS) core

clean:
	rm -rf build
