// SPDX-License-Identifier: BSD-2-Clause

// Work in a function of C++ whose name is known: of a template, in a namespace.
#include <cstdlib>
#include <iostream>
#include <vector>

namespace work
{
template <typename Flag> class sieve
{
	std::vector<Flag> composite;

      public:
	explicit sieve(std::size_t n) : composite(n) {}
	int count(int rounds);
};

template <typename Flag>
__attribute__((noinline)) int sieve<Flag>::count(int rounds)
{
	int found = 0;

	for (; rounds > 0; rounds--) {
		found = 0;
		for (auto &flag : composite)
			flag = 0;
		for (std::size_t i = 2; i < composite.size(); i++) {
			if (composite[i])
				continue;
			found++;
			for (std::size_t k = 2 * i; k < composite.size(); k += i)
				composite[k] = 1;
		}
	}
	return found;
}
} // namespace work

int main(int, char **argv)
{
	work::sieve<char> s(10000);

	std::cout << "primes " << s.count(std::atoi(argv[1])) << std::endl;
}
