extends Node

var points = 0
