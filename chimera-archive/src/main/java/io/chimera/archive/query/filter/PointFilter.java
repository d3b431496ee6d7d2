package io.chimera.archive.query.filter;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointView;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.PointCondition;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.query.text.QuestionException;
import java.util.List;

/**
 * Filter of data points: {@code metric=cpu and host=web1 and not load<0.5}. See docs/archive.md. Immutable; any thread,
 * provided each thread has its own points.
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
     * @throws QuestionException when the filter is invalid
     */
    public static PointFilter compile(String text) {
        PointGrammar grammar = new PointGrammar(text);
        PointCondition condition = grammar.read();
        return new PointFilter(text, condition, grammar.warnings());
    }

    /** Returns hints for the author of an otherwise valid filter; often empty. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns true if a point matches. */
    @HotPath
    public boolean matches(PointView point) {
        return condition.matches(point);
    }

    /**
     * Returns the probe for an index with {@link PointKeys#keys}: every interval with a matching point matches the
     * probe.
     */
    public Probe probe() {
        return PointKeys.probe(condition);
    }

    /** Returns a relaxed filter: matches every point that this filter could match with another value of the field. */
    public PointFilter ofAnyValue(String field) {
        return new PointFilter(text, PointCondition.ofAnyValue(condition, field, true), warnings);
    }

    @Override
    public String toString() {
        return text;
    }
}
