# The expected content of a merge, from the engine's facts on base, ours, theirs and the merged text
# (godot_project/tools/scene_facts.gd). A change of one side is as on that side. Facts that both left alone, or changed alike, are
# as on both. Facts that both changed differently are inside a value, or a conflict, and are not judged; neither are the facts of a
# conflict. A fact that names a node by its old name or path may stand in the merged text with the new one.
#
# Prints each fact that is otherwise, and at the end how many facts were judged.
#
#   awk -f merge_union.awk BASE OURS THEIRS MERGED

BEGIN { FS = "\t" }

FNR == 1 { file++ }

{ all[$1] = 1 }

{ facts[file, $1] = $2 "\t" }

/^node [^:]*\t/ && file == 1 { base_nodes[name_of($1)] = 1; base_paths[path_of($1)] = 1 }

/^node [^:]*\t/ && file == 4 { merged_nodes[name_of($1)] = 1; merged_paths[path_of($1)] = 1 }

# The subject of a conflict: each by its node.
/^node .*_gdscene_conflicts/ && file == 4 { conflicts[substr($1, 1, index($1, ": ") - 1)] = $2 }

END {
    find_moved()
    for (fact in all) judge(fact, facts[1, fact], facts[2, fact], facts[3, fact], facts[4, fact])
    for (fact in otherwise) {
        if (balance[followed(fact)] != 0) print otherwise[fact]
    }
    printf "judged %d\n", judged
}

function judge(fact, base, ours, theirs, merged,    wanted) {
    if (fact ~ /_gdscene_conflicts/ || fact ~ /__meta__$/ || in_conflict(fact)) return
    if (ours == theirs) wanted = ours
    else if (base == ours) wanted = theirs
    else if (base == theirs) wanted = ours
    else return
    judged++
    if (merged == wanted || merged != "" && followed(merged) == followed(wanted)) return
    otherwise[fact] = sprintf("%s: %s instead of %s, which was %s", fact, shown(merged), shown(wanted), shown(base))
    if (wanted == "") balance[followed(fact)]--
    else if (merged == "") balance[followed(fact)]++
    else balance[followed(fact)] += 2
}

function in_conflict(fact,    node) {
    for (node in conflicts) {
        if (conflicts[node] ~ /removed_by/ && (index(fact, node) == 1 || fact ~ /^connection / && index(fact, quoted(node)))) return 1
        if (index(fact, node) != 1) continue
        if (index(conflicts[node], "property\\\": \\\"" property_of(substr(fact, length(node) + 1)) "\\\"")) return 1
    }
    return 0
}

# As connections name the node, which the file has in `node ./path`.
function quoted(node) {
    return "\\\"" substr(node, 8) "\\\""
}

# The property in `: property.inside{key}`.
function property_of(fact) {
    sub(/^: /, "", fact)
    sub(/[.{].*/, "", fact)
    return fact
}

# Nodes with one name that exist once before, and once now.
function find_moved(    path, name, before, now, old, new) {
    for (path in base_paths) if (!(path in merged_paths)) { name = name_of(path); before[name]++; old[name] = path }
    for (path in merged_paths) if (!(path in base_paths)) { name = name_of(path); now[name]++; new[name] = path }
    for (name in before) if (before[name] == 1 && now[name] == 1) moved[old[name]] = new[name]
    # The subject of a conflict, by the path that it had before.
    for (path in moved) {
        if (("node ./" moved[path]) in conflicts) conflicts["node ./" path] = conflicts["node ./" moved[path]]
    }
}

# The fact, or value, with the paths that nodes have now, and without the names that nodes had only before, or have only now.
function followed(fact,    name, path) {
    for (path in moved) gsub("(^|[^A-Za-z0-9_])" pattern(path) "[^A-Za-z0-9_]", "<" moved[path] ">", fact)
    for (path in moved) gsub("(^|[^A-Za-z0-9_])" pattern(moved[path]) "[^A-Za-z0-9_]", "<" moved[path] ">", fact)
    for (name in base_nodes) if (!(name in merged_nodes)) gsub(pattern(name), "@", fact)
    for (name in merged_nodes) if (!(name in base_nodes)) gsub(pattern(name), "@", fact)
    return fact
}

function pattern(name) {
    gsub(/[^A-Za-z0-9_ ]/, ".", name)
    return name
}

# Without the `./` that it begins with.
function path_of(fact) {
    sub(/^node /, "", fact)
    sub(/^\.\//, "", fact)
    return fact
}

function name_of(fact) {
    sub(/^.*[\/ ]/, "", fact)
    return fact
}

function shown(value) { return value == "" ? "nothing" : substr(value, 1, 80) }
