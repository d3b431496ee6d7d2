package io.chimera.node.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Assigns columns and rows to the nodes of a graph. A node lies one column to the right of its last predecessor, and
 * near the rows of its predecessors. A long edge has a place in every column between both ends, so that the edge
 * crosses no node.
 */
final class Layers {
    /** Route of an edge: the end nodes, and between them the places in the crossed columns. */
    record Way(Graph.Edge edge, List<String> places) {}

    private final Map<String, Integer> columns = new HashMap<>();
    private final Map<String, Double> rows = new HashMap<>();
    private final List<List<String>> layers = new ArrayList<>();
    private final List<Way> ways = new ArrayList<>();
    private final Map<String, List<String>> before = new HashMap<>();

    Layers(Graph graph) {
        graph.nodes().forEach(node -> columns.put(node.id(), 0));
        for (Graph.Node node : graph.nodes()) { // topological order: all predecessors already have their columns
            int column = graph.edges().stream()
                    .filter(edge -> edge.to().equals(node.id()))
                    .mapToInt(edge -> columns.get(edge.from()) + 1)
                    .max()
                    .orElse(0);
            columns.put(node.id(), column);
            layer(column).add(node.id());
        }
        graph.edges().forEach(this::addWay);
        layers.forEach(this::order);
    }

    private List<String> layer(int column) {
        while (layers.size() <= column) {
            layers.add(new ArrayList<>());
        }
        return layers.get(column);
    }

    private void addWay(Graph.Edge edge) {
        List<String> places = new ArrayList<>(List.of(edge.from()));
        for (int column = columns.get(edge.from()) + 1; column < columns.get(edge.to()); column++) {
            String place = "way " + ways.size() + " in " + column;
            columns.put(place, column);
            layer(column).add(place);
            places.add(place);
        }
        places.add(edge.to());
        for (int i = 1; i < places.size(); i++) {
            before.computeIfAbsent(places.get(i), key -> new ArrayList<>()).add(places.get(i - 1));
        }
        ways.add(new Way(edge, places));
    }

    /** Sorts a column by the mean row of each node's predecessors, and assigns rows without overlap. */
    private void order(List<String> layer) {
        Map<String, Double> wanted = new HashMap<>();
        for (String place : layer) {
            wanted.put(
                    place,
                    before.getOrDefault(place, List.of()).stream()
                            .mapToDouble(rows::get)
                            .average()
                            .orElse(layer.indexOf(place)));
        }
        layer.sort(Comparator.comparing(wanted::get));
        double next = 0;
        for (String place : layer) {
            double row = Math.max(next, wanted.get(place));
            rows.put(place, row);
            next = row + 1;
        }
    }

    int column(String place) {
        return columns.get(place);
    }

    /** Returns the row, counted from 0; may be fractional. */
    double row(String place) {
        return rows.get(place);
    }

    List<Way> ways() {
        return ways;
    }

    int columns() {
        return layers.size();
    }

    double rows() {
        return 1 + rows.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
}
