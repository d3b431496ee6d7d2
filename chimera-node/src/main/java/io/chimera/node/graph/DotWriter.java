package io.chimera.node.graph;

import java.util.stream.Collectors;

/** Writes a graph in the DOT language of Graphviz. */
final class DotWriter {
    private DotWriter() {}

    static String write(Graph graph) {
        StringBuilder dot = new StringBuilder("digraph chimera {\n  rankdir=LR;\n");
        dot.append("  node [fontname=\"sans-serif\", fontsize=11];\n  edge [fontname=\"sans-serif\", fontsize=9];\n");
        for (Graph.Node node : graph.nodes()) {
            String label = node.lines().stream().map(DotWriter::escaped).collect(Collectors.joining("\\n"));
            dot.append("  \"")
                    .append(escaped(node.id()))
                    .append("\" [label=\"")
                    .append(label)
                    .append("\", ");
            dot.append(style(node.kind())).append("];\n");
        }
        for (Graph.Edge edge : graph.edges()) {
            dot.append("  \"").append(escaped(edge.from())).append("\" -> \"").append(escaped(edge.to()));
            dot.append("\" [label=\"").append(escaped(edge.label())).append('"');
            dot.append(edge.isQueued() ? ", style=bold, arrowtail=box, dir=both" : "")
                    .append("];\n");
        }
        return dot.append("}\n").toString();
    }

    private static String style(Graph.Kind kind) {
        return switch (kind) {
            case ENDPOINT -> "shape=plaintext";
            case BLOCK -> "shape=box, style=rounded";
            case STATEFUL -> "shape=box, style=\"rounded,bold\"";
            case STEP -> "shape=box, style=dashed";
        };
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
