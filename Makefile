# The words that people type. Each target is one or two lines; the work is in CMake and in scripts/.

PRESET ?= release
PREFIX ?= /usr/local
MODEL  ?= triple-pendulum
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-python mutants guard bench bench-mechanisms measures install lint format package test-packages fresh clean packages build

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: packages ## build the program, then integrate a built-in problem (MODEL=triple-pendulum)
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target libration-cli
	build/$(PRESET)/libration run $(MODEL)

test: build ## build, then test every method, problem and claim
	scripts/run_tests $(PRESET) $(JOBS)

test-all: build ## the same with every method on every problem that it accepts
	scripts/run_tests --all $(PRESET) $(JOBS)
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target header_tests

test-python: ## build the program and the Python package, then test the package
	@scripts/packages tests
	cmake --preset $(PRESET) -DLIBRATION_TESTS=ON -DLIBRATION_PYTHON_MODULE=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target libration-products
	ctest --preset $(PRESET) --output-on-failure --no-tests=error --parallel $(JOBS) --tests-regex '^python\.'

mutants: ## plant mistakes in the library and see which of them `make test` finds
	@scripts/packages tests
	tests/mutants/run

guard: measures ## count instructions per step and compare with bench/history.csv
	build/$(PRESET)/bench/chain_bench --check
	build/$(PRESET)/bench/yardsticks --check
	bench/instructions --build build/$(PRESET) --check

bench: measures ## time a long chain against one written by hand, and against its length; factor the matrix of a net
	build/$(PRESET)/bench/chain_bench
	bench/scaling --build build/$(PRESET)
	build/$(PRESET)/bench/factor_bench net n=224 m=224

bench-mechanisms: packages ## compare mechanisms with Simbody, MuJoCo and DART: time for an error
	@scripts/packages bench mechanisms
	cmake --preset $(PRESET) -DLIBRATION_BENCH=ON -DLIBRATION_BENCH_MECHANISMS=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target bench-mechanisms
	bench/mechanisms/compare --build build/$(PRESET)

install: packages ## install the program, the library and the Python package below PREFIX (/usr/local)
	@scripts/packages python
	cmake --preset $(PRESET)
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target libration-products
	cmake --install build/$(PRESET) --prefix "$$(realpath -m -- "$(PREFIX)")"

lint: ## check formatting, include order between rooms, and text
	@scripts/packages lint
	scripts/lint

format: ## format our sources in place
	@scripts/packages lint
	scripts/lint --fix

package: ## build Debian packages and a wheel in build/packages, and check them
	@scripts/packages package
	cmake --preset $(PRESET) -DLIBRATION_PYTHON_MODULE=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target libration-products
	scripts/package $(PRESET)

test-packages: package ## install the packages in a bare Debian 12 (as root), use them, remove them
	scripts/test_packages

fresh: ## run `make run` and `make test` in a bare Debian 12 (as root)
	scripts/fresh

clean: ## remove everything that was built
	rm -rf build

packages: ## install the Debian packages that the program needs
	@scripts/packages

build: ## configure and build everything (PRESET=release, debug or sanitize)
	@scripts/packages tests
	cmake --preset $(PRESET) -DLIBRATION_TESTS=ON -DLIBRATION_PYTHON_MODULE=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS)

measures: packages
	@scripts/packages bench
	cmake --preset $(PRESET) -DLIBRATION_BENCH=ON
	cmake --build --preset $(PRESET) --parallel $(JOBS) --target libration-cli chain_bench factor_bench gradient_price round_off singular_positions step_driver yardsticks
