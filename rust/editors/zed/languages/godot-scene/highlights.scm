; The names of nodes are those of tree-sitter-godot-resource.
(comment) @comment
(section (identifier) @tag)
(attribute (identifier) @attribute)
(property (path) @property)
(constructor (identifier) @constructor)
(string) @string
[(integer) (float)] @number
[(true) (false)] @boolean
"=" @operator
["[" "]" "(" ")" "{" "}"] @punctuation.bracket
