package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.chimera.api.spi.BlockState;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Transform;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Contract test for blocks. Extend this class in a test of the plugin. */
public abstract class TransformContract {
    private static final long CYCLE_NS = 10_000_000_000L;
    private static final int THREADS = 4;
    private static final int ROUNDS = 50;

    private PluginContext context;

    /** Called by subclasses. */
    protected TransformContract() {}

    /** Creates the block type under test; a new object on every call. */
    protected abstract TransformType type();

    /** Returns valid settings. */
    protected abstract Record settings();

    /** Returns at least two points accepted by the block, in the order of their times. */
    protected abstract List<KitPoint> points();

    /** Returns constructor calls with invalid settings, each of which must be refused; by default none. */
    protected List<Runnable> badSettings() {
        return List.of();
    }

    /** Returns the context of the block, made once per test: the settings of a test may write files. */
    private PluginContext context() {
        if (context == null) {
            context = new PluginContext("kit", Map.of(), settings());
        }
        return context;
    }

    /**
     * Returns the output of a new instance for {@link #points}, in cycles of two points, each as {@code <gate>:
     * <point>}.
     */
    protected final List<String> emitted() {
        try (Transform transform = type().create(context())) {
            return run(transform, points(), 2);
        }
    }

    /** Returns the output of an instance for the points, with a cycle end after every {@code pointsPerCycle} points. */
    private List<String> run(Transform transform, List<KitPoint> points, int pointsPerCycle) {
        KitOutlet out = new KitOutlet(type().gates(context()).size());
        long cycleNs = points.get(0).timeNs();
        for (int i = 0; i < points.size(); i++) {
            apply(transform, points.get(i), out);
            if ((i + 1) % pointsPerCycle == 0) {
                cycleNs += CYCLE_NS;
                endCycle(transform, cycleNs, out);
            }
        }
        return out.emitted();
    }

    private static void apply(Transform transform, KitPoint point, KitOutlet out) {
        out.begin(point, point.timeNs());
        transform.apply(point, out);
        out.end();
    }

    private static void endCycle(Transform transform, long timeNs, KitOutlet out) {
        out.begin(null, timeNs);
        transform.endCycle(timeNs, out);
        out.end();
    }

    /** The configuration requires a valid name, settings record and list of gates. */
    @Test
    void hasANameGatesAndARecordOfItsSettings() {
        assertTrue(type().name().matches("[a-z0-9_]{1,64}"), "name: " + type().name());
        List<String> gates = type().gates(context());
        assertFalse(gates.isEmpty(), "a block must have at least one gate");
        assertEquals(gates.size(), new HashSet<>(gates).size(), "gate names must be distinct");
        assertEquals(
                type().settings(),
                settings().getClass(),
                "settings() of the kit must be a record of settings() of the type");
        assertFalse(type().horizon(context()).isNegative(), "a horizon must not be negative");
    }

    /** A replay, on the same or another node, must produce the same output. */
    @Test
    void emitsTheSameForTheSamePoints() {
        try (Transform first = type().create(context());
                Transform second = type().create(context())) {
            assertEquals(run(first, points(), 2), run(second, points(), 2));
        }
    }

    /** Each partition of the keys has a separate instance. */
    @Test
    void sharesNoStateBetweenInstances() {
        List<String> alone;
        try (Transform transform = type().create(context())) {
            alone = run(transform, points(), 2);
        }
        TransformType type = type();
        try (Transform busy = type.create(context());
                Transform other = type.create(context())) {
            List<String> first = run(busy, points(), 2);
            assertEquals(alone, first);
            assertEquals(alone, run(other, points(), 2));
        }
    }

    /** A pool of threads relies on the declared state. */
    @Test
    void hasTheDeclaredState() {
        BlockState state = type().state(context());
        if (state == BlockState.UNDECLARED) {
            return;
        }
        boolean hasHorizon = !type().horizon(context()).isZero();
        assertEquals(state == BlockState.BY_KEY, hasHorizon, "state " + state + " does not agree with the horizon");
        if (state == BlockState.NONE) {
            KitOutlet dropped = new KitOutlet(type().gates(context()).size());
            KitOutlet ofUsed = new KitOutlet(type().gates(context()).size());
            KitOutlet ofFresh = new KitOutlet(type().gates(context()).size());
            try (Transform used = type().create(context());
                    Transform fresh = type().create(context())) {
                points().forEach(point -> apply(used, point, dropped));
                endCycle(used, CYCLE_NS, ofUsed);
                endCycle(fresh, CYCLE_NS, ofFresh);
                assertEquals(
                        ofFresh.emitted(),
                        ofUsed.emitted(),
                        "the block declares no state, but the end of a cycle depends on its points");
            }
        }
    }

    /** The threads of a pool ({@code threads.pool}) call instances of one type at the same time. */
    @Test
    void worksOnSeveralThreadsAtOnce() throws InterruptedException, ExecutionException {
        List<String> alone = emitted();
        TransformType type = type();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Boolean>> same = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                same.add(threads.submit(() -> emitsRepeatedly(type, alone)));
            }
            for (Future<Boolean> each : same) {
                assertTrue(each.get(), "instances on different threads change each other's output");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean emitsRepeatedly(TransformType type, List<String> expected) {
        boolean isSame = true;
        for (int i = 0; i < ROUNDS; i++) {
            try (Transform transform = type.create(context())) {
                isSame &= expected.equals(run(transform, points(), 2));
            }
        }
        return isSame;
    }

    /** The output of an instance without a horizon must not depend on earlier points. */
    @Test
    void keepsNothingWithoutAHorizon() {
        if (!type().horizon(context()).equals(Duration.ZERO)) {
            return;
        }
        for (KitPoint point : points()) {
            try (Transform fresh = type().create(context());
                    Transform used = type().create(context())) {
                run(used, points(), points().size() + 1);
                assertEquals(
                        run(fresh, List.of(point), 2),
                        run(used, List.of(point), 2),
                        "the block declares no horizon, but its output depends on earlier points");
            }
        }
    }

    /**
     * After a takeover of a partition, a new instance receives only the points of the horizon. From then on the new
     * instance must emit the same points as an instance with the full history.
     */
    @Test
    void forgetsWhatLiesBehindTheHorizon() {
        long firstNs = points().get(0).timeNs();
        long lastNs = points().get(points().size() - 1).timeNs() + (points().size() + 1) * CYCLE_NS;
        long beginNs = lastNs + type().horizon(context()).toNanos() + CYCLE_NS;
        List<KitPoint> later = points().stream()
                .map(point -> point.at(beginNs + point.timeNs() - firstNs))
                .toList();
        KitOutlet dropped = new KitOutlet(type().gates(context()).size());
        try (Transform used = type().create(context());
                Transform fresh = type().create(context())) {
            run(used, points(), 2);
            endCycle(used, beginNs, dropped);
            endCycle(fresh, beginNs, dropped);
            assertEquals(
                    run(fresh, later, 2),
                    run(used, later, 2),
                    "the output of the block depends on points older than its horizon");
        }
    }

    /** Most cycles of a partition may contain no point. */
    @Test
    void livesThroughEmptyCycles() {
        KitOutlet out = new KitOutlet(type().gates(context()).size());
        try (Transform transform = type().create(context())) {
            long cycleNs = points().get(0).timeNs();
            for (int i = 1; i <= 3; i++) {
                long timeNs = cycleNs + i * CYCLE_NS;
                assertDoesNotThrow(() -> endCycle(transform, timeNs, out));
            }
        }
    }

    @Test
    void canBeClosedTwiceAndMadeAgain() {
        TransformType type = type();
        Transform first = type.create(context());
        first.close();
        assertDoesNotThrow(first::close);
        try (Transform second = type.create(context())) {
            assertDoesNotThrow(() -> run(second, points(), 2));
        }
    }

    /** A node reports bad settings before the node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
