// SPDX-License-Identifier: BSD-2-Clause

// Work in a function of Go whose name is known: a method of a type.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type Sieve struct {
	composite []bool
}

//go:noinline
func (s *Sieve) Count(rounds int) int {
	found := 0
	for ; rounds > 0; rounds-- {
		found = 0
		for i := range s.composite {
			s.composite[i] = false
		}
		for i := 2; i < len(s.composite); i++ {
			if s.composite[i] {
				continue
			}
			found++
			for k := 2 * i; k < len(s.composite); k += i {
				s.composite[k] = true
			}
		}
	}
	return found
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	s := &Sieve{make([]bool, 10000)}
	fmt.Println("primes", s.Count(rounds))
}
