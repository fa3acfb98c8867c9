//go:build !checkviews

package slab

func poison([]byte) {}
func taken([]byte)  {}
