.PHONY: all test ci
all:
	@cmake --preset dev > /dev/null && cmake --build build
test: all
	@ctest --test-dir build --output-on-failure -j2
ci: test
