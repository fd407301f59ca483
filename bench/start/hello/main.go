// Hello is the least that a Go program does.
package main

import "fmt"

func main() { fmt.Println("Hello, world.") }
