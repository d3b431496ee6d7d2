package io.chimera.processor;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A function of a pipeline.
 *
 * @param name ends the metric of its rows
 * @param kind which one it is
 * @param plugin for {@link Kind#PLUGIN}: its index among the plugins of the pipeline
 * @param argument for {@link Kind#QUANTILE}: the share of the numbers that do not exceed it; for {@link Kind#TOP}: how many texts
 */
public record Function(String name, Kind kind, int plugin, double argument) {
    /** Names of the built-in functions, as a message lists them. */
    static final List<String> NAMES = List.of(
            "count", "distinct", "max", "mean", "min", "p01 to p999999", "sum", "top, top1 to top100", "variance");

    /** The digits behind the point: p50, p99, p999. Beyond two none is a last 0, so that p100 is not taken for the maximum. */
    private static final Pattern QUANTILE = Pattern.compile("p(\\d\\d|\\d{2,5}[1-9])");

    private static final Pattern TOP = Pattern.compile("top([1-9]\\d?|100)?");
    private static final int TOP_DEFAULT = 10;
    private static final int NO_PLUGIN = -1;

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
        /** A quantile of the numbers. */
        QUANTILE,
        /** Number of different values, of every type; its rows are of type long. */
        DISTINCT,
        /** The most frequent texts: a row of type long for each. */
        TOP,
        /** What an aggregator plugin says. */
        PLUGIN
    }

    /** Functions by their names; a name that is not built in is that of a plugin. */
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

    /** Whether a plugin computes it. */
    boolean isPlugin() {
        return kind == Kind.PLUGIN;
    }
}
