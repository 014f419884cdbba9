// Nothing: headers that are compiled once need a target, and a target a source.
