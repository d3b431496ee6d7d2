package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.PointView;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** A correct block passes the contract, and every violation is found. */
final class TransformContractTest {
    private record Type(Duration reach, BlockState state, Supplier<Transform> maker) implements TransformType {
        @Override
        public String name() {
            return "it";
        }

        @Override
        public Duration horizon(PluginContext context) {
            return reach;
        }

        @Override
        public BlockState state(PluginContext context) {
            return state;
        }

        @Override
        public Transform create(PluginContext context) {
            return maker.get();
        }
    }

    private static class Of extends TransformContract {
        private final Duration reach;
        private final BlockState state;
        private final Supplier<Transform> maker;

        Of(Duration reach, Supplier<Transform> maker) {
            this(reach, reach.isZero() ? BlockState.NONE : BlockState.BY_KEY, maker);
        }

        Of(Duration reach, BlockState state, Supplier<Transform> maker) {
            this.reach = reach;
            this.state = state;
            this.maker = maker;
        }

        @Override
        protected TransformType type() {
            return new Type(reach, state, maker);
        }

        @Override
        protected Record settings() {
            return new NoSettings();
        }

        @Override
        protected List<KitPoint> points() {
            return List.of(
                    KitPoint.of("cpu", 1_000_000_000L).field("value", 1),
                    KitPoint.of("cpu", 2_000_000_000L).field("value", 2),
                    KitPoint.of("cpu", 3_000_000_000L).field("value", 3));
        }
    }

    private static Transform counting(AtomicLong count) {
        return (point, out) ->
                out.point(0).series().field("count", count.incrementAndGet()).end();
    }

    @Nested
    final class Good extends Of {
        Good() {
            super(Duration.ZERO, () -> (point, out) -> out.pass(0));
        }
    }

    @Test
    void findsStateWithoutAHorizon() {
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ZERO, () -> counting(new AtomicLong()))
                .keepsNothingWithoutAHorizon());
    }

    @Test
    void findsStateBehindTheHorizon() {
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ofMinutes(1), () -> counting(new AtomicLong()))
                .forgetsWhatLiesBehindTheHorizon());
    }

    @Test
    void findsStateThatInstancesShare() {
        AtomicLong shared = new AtomicLong();
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ofMinutes(1), () -> counting(shared))
                .sharesNoStateBetweenInstances());
    }

    @Test
    void findsStateThatThreadsShare() {
        AtomicLong shared = new AtomicLong();
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ofMinutes(1), () -> counting(shared))
                .worksOnSeveralThreadsAtOnce());
    }

    /** Counts the points of a cycle. */
    private static final class Ending implements Transform {
        private long count;

        @Override
        public void apply(PointView point, Outlet out) {
            count++;
        }

        @Override
        public void endCycle(long timeNs, Outlet out) {
            out.point(0).metric("points").field("count", count).end();
        }
    }

    @Test
    void findsAStateThatIsNotTheDeclaredState() {
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ZERO, Ending::new).hasTheDeclaredState());
        assertThrows(AssertionFailedError.class, () -> new Of(Duration.ZERO, BlockState.BY_KEY, Ending::new)
                .hasTheDeclaredState());
    }

    @Test
    void findsAGateThatIsNotDeclared() {
        assertThrows(IllegalArgumentException.class, () -> new Of(Duration.ZERO, () -> (point, out) -> out.pass(1))
                .emitsTheSameForTheSamePoints());
    }
}
