package io.chimera.processor.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Aggregate function of a pipeline.
 *
 * @param name suffix of the metric of its rows
 * @param kind built-in function, or plugin
 * @param plugin for {@link Kind#PLUGIN}: index among the plugins of the pipeline
 * @param argument for {@link Kind#QUANTILE}: share of the numbers at or below the quantile; for {@link Kind#TOP}:
 *     maximum number of texts
 */
public record Function(String name, Kind kind, int plugin, double argument) {
    /** Names of the built-in functions, as listed in error messages. */
    static final List<String> NAMES = List.of(
            "count", "distinct", "max", "mean", "min", "p01 to p999999", "sum", "top, top1 to top100", "variance");

    /**
     * Digits after the decimal point: p50, p99, p999. A name with more than two digits must not end in 0, so p100
     * cannot be mistaken for the maximum.
     */
    private static final Pattern QUANTILE = Pattern.compile("p(\\d\\d|\\d{2,5}[1-9])");

    private static final Pattern TOP = Pattern.compile("top([1-9]\\d?|100)?");
    private static final int TOP_DEFAULT = 10;
    private static final int NO_PLUGIN = -1;

    /** Kinds of functions. */
    public enum Kind {
        /** Number of values of every type; its rows are of type long. */
        COUNT,
        /** Smallest number. */
        MIN,
        /** Largest number. */
        MAX,
        /** Sum of the numbers. */
        SUM,
        /** Mean of the numbers. */
        MEAN,
        /** Population variance of the numbers. */
        VARIANCE,
        /** Quantile of the numbers. */
        QUANTILE,
        /** Number of distinct values of every type; its rows are of type long. */
        DISTINCT,
        /** Most frequent texts, with a row of type long for each text. */
        TOP,
        /** Result of an aggregator plugin. */
        PLUGIN
    }

    /** Resolves functions by name; a name of no built-in function names a plugin. */
    static List<Function> of(List<String> names) {
        List<Function> functions = new ArrayList<>();
        int plugins = 0;
        for (String name : names) {
            Function function = builtIn(name);
            functions.add(function == null ? new Function(name, Kind.PLUGIN, plugins++, 0) : function);
        }
        return List.copyOf(functions);
    }

    private static Function builtIn(String name) {
        Matcher quantile = QUANTILE.matcher(name);
        if (quantile.matches() && !name.equals("p00")) {
            return builtIn(name, Kind.QUANTILE, Double.parseDouble("0." + quantile.group(1)));
        }
        Matcher top = TOP.matcher(name);
        if (top.matches()) {
            return builtIn(name, Kind.TOP, top.group(1) == null ? TOP_DEFAULT : Integer.parseInt(top.group(1)));
        }
        return switch (name) {
            case "count" -> builtIn(name, Kind.COUNT, 0);
            case "min" -> builtIn(name, Kind.MIN, 0);
            case "max" -> builtIn(name, Kind.MAX, 0);
            case "sum" -> builtIn(name, Kind.SUM, 0);
            case "mean" -> builtIn(name, Kind.MEAN, 0);
            case "variance" -> builtIn(name, Kind.VARIANCE, 0);
            case "distinct" -> builtIn(name, Kind.DISTINCT, 0);
            default -> null;
        };
    }

    private static Function builtIn(String name, Kind kind, double argument) {
        return new Function(name, kind, NO_PLUGIN, argument);
    }

    boolean isPlugin() {
        return kind == Kind.PLUGIN;
    }
}
