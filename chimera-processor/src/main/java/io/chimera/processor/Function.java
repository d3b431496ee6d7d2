package io.chimera.processor;

import java.util.ArrayList;
import java.util.List;

/**
 * A function of a pipeline.
 *
 * @param name ends the metric of its rows
 * @param kind which one it is
 * @param plugin for {@link Kind#PLUGIN}: its index among the plugins of the pipeline
 */
public record Function(String name, Kind kind, int plugin) {
    /** The built-in functions, and all others. */
    public enum Kind {
        /** Number of values, of every type; its rows are of type long. */
        COUNT,
        /** Least number. */
        MIN,
        /** Greatest number. */
        MAX,
        /** Sum of the numbers. */
        SUM,
        /** Mean of the numbers. */
        MEAN,
        /** Population variance of the numbers. */
        VARIANCE,
        /** What an aggregator plugin says. */
        PLUGIN
    }

    /** Functions by their names; a name that is not built in is that of a plugin. */
    static List<Function> of(List<String> names) {
        List<Function> functions = new ArrayList<>();
        int plugins = 0;
        for (String name : names) {
            Kind kind = kindOf(name);
            functions.add(new Function(name, kind, kind == Kind.PLUGIN ? plugins++ : -1));
        }
        return List.copyOf(functions);
    }

    private static Kind kindOf(String name) {
        return switch (name) {
            case "count" -> Kind.COUNT;
            case "min" -> Kind.MIN;
            case "max" -> Kind.MAX;
            case "sum" -> Kind.SUM;
            case "mean" -> Kind.MEAN;
            case "variance" -> Kind.VARIANCE;
            default -> Kind.PLUGIN;
        };
    }

    /** Whether a plugin computes it. */
    boolean isPlugin() {
        return kind == Kind.PLUGIN;
    }
}
