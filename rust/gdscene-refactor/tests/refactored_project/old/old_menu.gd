extends Control

var picture: Texture2D = preload("res://art/forgotten.svg")
