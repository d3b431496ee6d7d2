package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointView;
import io.chimera.archive.index.Probe;
import java.util.List;

/**
 * A filter of data points: {@code metric=cpu and host=web1 and not load<0.5}. See docs/archive.md. Immutable; any thread, if each has
 * its own points.
 */
public final class PointFilter {
    private final String text;
    private final PointCondition condition;
    private final List<String> warnings;

    private PointFilter(String text, PointCondition condition, List<String> warnings) {
        this.text = text;
        this.condition = condition;
        this.warnings = warnings;
    }

    /**
     * Compiles a filter.
     *
     * @param text empty: every point
     * @throws QuestionException where the filter is not understood
     */
    public static PointFilter compile(String text) {
        PointGrammar grammar = new PointGrammar(text);
        PointCondition condition = grammar.read();
        return new PointFilter(text, condition, grammar.warnings());
    }

    /** What whoever asks should be told, though the filter is understood; often empty. */
    public List<String> warnings() {
        return warnings;
    }

    /** Whether a point matches. */
    @HotPath
    public boolean matches(PointView point) {
        return condition.matches(point);
    }

    /** What to ask an index made with {@link PointKeys#keys} for: no point that matches is in an interval that it leaves out. */
    public Probe probe() {
        return PointKeys.probe(condition);
    }

    /** The filter that lets through every point which this one might let through if a field of it were another. */
    PointFilter ofAnyValue(String field) {
        return new PointFilter(text, PointCondition.ofAnyValue(condition, field, true), warnings);
    }

    @Override
    public String toString() {
        return text;
    }
}
