package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.chimera.api.spi.Aggregator;
import java.lang.reflect.Constructor;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Contract test for aggregators. Extend this class in a test of the plugin.
 *
 * @param <S> the state
 */
public abstract class AggregatorContract<S> {
    private static final long SECOND_NS = 1_000_000_000L;

    /** Called by subclasses. */
    protected AggregatorContract() {}

    /** Creates the aggregator under test; a new object on every call. */
    protected abstract Aggregator<S> aggregator();

    /** Returns at least four values accepted by the aggregator. */
    protected List<Double> values() {
        return List.of(3.0, -1.5, 0.0, 42.0, 3.0, 1e-9, 1e12);
    }

    /** Returns the allowed difference between equal results when only the order of additions differs. */
    protected double tolerance() {
        return 0;
    }

    private S folded(Aggregator<S> aggregator, List<Double> values) {
        S state = aggregator.create();
        for (int i = 0; i < values.size(); i++) {
            aggregator.fold(state, values.get(i), i * SECOND_NS);
        }
        return state;
    }

    /** The name ends the metric of the output rows. */
    @Test
    void hasAName() {
        assertTrue(
                aggregator().name().matches("[a-z0-9_]{1,64}"),
                "name: " + aggregator().name());
    }

    /** The off-heap warehouse creates states by reflection. */
    @Test
    void hasAStateWithAConstructorWithoutArguments() throws ReflectiveOperationException {
        S state = aggregator().create();
        assertNotNull(state);
        Constructor<?> constructor = state.getClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        assertDoesNotThrow(() -> constructor.newInstance());
    }

    @Test
    void makesAStateOfItsOwnForEachGroup() {
        Aggregator<S> aggregator = aggregator();
        S first = aggregator.create();
        S second = aggregator.create();
        assertNotSame(first, second);
        double alone = aggregator.result(folded(aggregator(), List.of(7.0)));
        aggregator.fold(first, 1e6, 0);
        aggregator.fold(second, 7.0, 0);
        assertEquals(alone, aggregator.result(second), "a value of one group affects another group");
    }

    /** A replay, on the same or another node, must produce the same results. */
    @Test
    void givesTheSameForTheSameValues() {
        Aggregator<S> one = aggregator();
        Aggregator<S> other = aggregator();
        assertEquals(one.result(folded(one, values())), other.result(folded(other, values())));
    }

    /** {@code result} must not change the state. */
    @Test
    void givesTheSameResultTwice() {
        Aggregator<S> aggregator = aggregator();
        S state = folded(aggregator, values());
        assertEquals(aggregator.result(state), aggregator.result(state));
    }

    /** The processor folds each part of a shard separately and then merges the parts. */
    @Test
    void mergesToWhatFoldingGives() {
        Aggregator<S> aggregator = aggregator();
        double whole = aggregator.result(folded(aggregator, values()));
        for (int cut = 1; cut < values().size(); cut++) {
            S into = folded(aggregator, values().subList(0, cut));
            S from = aggregator.create();
            for (int i = cut; i < values().size(); i++) {
                aggregator.fold(from, values().get(i), i * SECOND_NS);
            }
            double before = aggregator.result(from);
            aggregator.merge(into, from);
            assertEquals(whole, aggregator.result(into), tolerance(), "merged after " + cut + " values");
            assertEquals(before, aggregator.result(from), "merge() must not change the second state");
        }
    }

    /** A part of a shard may contain no value of a field. */
    @Test
    void mergesWithAStateThatHasSeenNothing() {
        Aggregator<S> aggregator = aggregator();
        double whole = aggregator.result(folded(aggregator, values()));
        S state = folded(aggregator, values());
        aggregator.merge(state, aggregator.create());
        assertEquals(whole, aggregator.result(state), tolerance());
        S empty = aggregator.create();
        aggregator.merge(empty, folded(aggregator, values()));
        assertEquals(whole, aggregator.result(empty), tolerance());
    }
}
