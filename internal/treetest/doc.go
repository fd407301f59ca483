// Package treetest gives tests folders with files, and what plain files in a folder
// can't show: links, named pipes, and the eyes of a user whom permissions bind. It says
// where temporary files are quick. It holds no rule about files: those are internal/tree's.
package treetest
