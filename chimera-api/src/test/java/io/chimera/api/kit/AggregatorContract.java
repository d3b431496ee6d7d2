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
 * What every function has to pass. Extend it in a test of the plugin.
 *
 * @param <S> the state
 */
public abstract class AggregatorContract<S> {
    private static final long SECOND_NS = 1_000_000_000L;

    /** For tests that extend it. */
    protected AggregatorContract() {}

    /** The function; a new one each time. */
    protected abstract Aggregator<S> aggregator();

    /** Values that it does something with; at least four. */
    protected List<Double> values() {
        return List.of(3.0, -1.5, 0.0, 42.0, 3.0, 1e-9, 1e12);
    }

    /** How far results may lie apart that should be equal, where the order of additions differs. */
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

    /** It is the end of the metric of its rows. */
    @Test
    void hasAName() {
        assertTrue(
                aggregator().name().matches("[a-z0-9_]{1,64}"),
                "name: " + aggregator().name());
    }

    /** A warehouse outside the heap makes states anew. */
    @Test
    void hasAStateWithAConstructorWithoutArguments() throws ReflectiveOperationException {
        S state = aggregator().create();
        assertNotNull(state);
        Constructor<?> constructor = state.getClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        assertDoesNotThrow(() -> constructor.newInstance());
    }

    /** States are of one group each. */
    @Test
    void makesAStateOfItsOwnForEachGroup() {
        Aggregator<S> aggregator = aggregator();
        S first = aggregator.create();
        S second = aggregator.create();
        assertNotSame(first, second);
        double alone = aggregator.result(folded(aggregator(), List.of(7.0)));
        aggregator.fold(first, 1e6, 0);
        aggregator.fold(second, 7.0, 0);
        assertEquals(alone, aggregator.result(second), "a value of one group is seen in another");
    }

    /** A replay, on this or another node, gets the same answers. */
    @Test
    void givesTheSameForTheSameValues() {
        Aggregator<S> one = aggregator();
        Aggregator<S> other = aggregator();
        assertEquals(one.result(folded(one, values())), other.result(folded(other, values())));
    }

    /** Asking does not change the state. */
    @Test
    void givesTheSameResultTwice() {
        Aggregator<S> aggregator = aggregator();
        S state = folded(aggregator, values());
        assertEquals(aggregator.result(state), aggregator.result(state));
    }

    /** The parts of a shard are folded each for itself and merged then. */
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
            assertEquals(before, aggregator.result(from), "what is merged is left as it is");
        }
    }

    /** A part of a shard may have no value of a field. */
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
