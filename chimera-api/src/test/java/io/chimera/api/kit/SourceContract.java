package io.chimera.api.kit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Contract test for sources. Extend this class in a test of the plugin. The test must provide a few points for the
 * source; the points must not change during a test.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SourceContract {
    /** Time of each poll. A constant, so that points without a time of their own can be compared. */
    private static final long POLL_NS = 1_700_000_000_000_000_000L;

    /** Pause after an empty poll, as in a node. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Number of consecutive empty polls after which a source counts as exhausted. */
    private static final int EMPTY_POLLS_MAX = 3;

    private static final int POLLS_MAX = 400;

    /** Called by subclasses. */
    protected SourceContract() {}

    /** Creates the source under test; a new object on every call. */
    protected abstract Source source();

    /** Returns valid settings. */
    protected abstract Record settings();

    /**
     * Returns whether the source continues at the position of the last {@link Source#journaled}. A source of files or
     * queues does, a sensor does not.
     */
    protected abstract boolean keepsPositions();

    /** Returns constructor calls with invalid settings, each of which must be refused; by default none. */
    protected List<Runnable> badSettings() {
        return List.of();
    }

    private Source opened() throws Exception {
        Source source = source();
        source.open(new PluginContext("kit", Map.of(), settings()));
        return source;
    }

    private static List<String> poll(Source source) throws Exception {
        List<String> points = new ArrayList<>();
        boolean[] isOpen = {true};
        KitBuilder out = new KitBuilder(null, POLL_NS, point -> {
            if (!isOpen[0]) {
                throw new IllegalStateException("The builder was used outside a poll.");
            }
            points.add(point.toString());
        });
        boolean more = source.poll(out);
        isOpen[0] = false;
        assertFalse(more && points.isEmpty(), "a poll without points must return false, so that the node pauses");
        if (!more) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        return points;
    }

    /** Returns the points of the first non-empty poll. */
    private static List<String> first(Source source) throws Exception {
        for (int polls = 0; polls < POLLS_MAX; polls++) {
            List<String> points = poll(source);
            if (!points.isEmpty()) {
                return points;
            }
        }
        return List.of();
    }

    /** Returns all points until the source is exhausted. */
    private static List<String> all(Source source, boolean isJournaled) throws Exception {
        List<String> all = new ArrayList<>();
        int empty = 0;
        for (int polls = 0; polls < POLLS_MAX && empty < EMPTY_POLLS_MAX; polls++) {
            List<String> points = poll(source);
            all.addAll(points);
            empty = points.isEmpty() ? empty + 1 : 0;
            if (isJournaled) {
                source.journaled();
            }
        }
        return all;
    }

    /**
     * Returns all points of a new instance, each as {@code <metric><tags><fields>@<time>}, without a call of {@link
     * Source#journaled}.
     */
    protected final List<String> polled() throws Exception {
        try (Source source = opened()) {
            return all(source, false);
        }
    }

    /** The configuration requires a valid name and settings record. */
    @Test
    void hasANameAndARecordOfItsSettings() {
        assertTrue(source().name().matches("[a-z0-9_]{1,64}"), "name: " + source().name());
        assertEquals(
                source().settings(),
                settings().getClass(),
                "settings() of the kit must be a record of settings() of the source");
    }

    /** The kit requires at least one point. */
    @Test
    void givesPoints() throws Exception {
        try (Source source = opened()) {
            assertFalse(first(source).isEmpty(), "no poll emitted a point");
            source.journaled();
        }
    }

    /** After a crash of the node or a full ring, no other copy of the points exists. */
    @Test
    void givesAgainWhatWasNotJournaled() throws Exception {
        assumeTrue(keepsPositions());
        List<String> all = polled();
        assertEquals(all, polled(), "the next instance must emit points that were polled but not journaled");
    }

    /** A journaled point must not be emitted again. */
    @Test
    void goesOnBehindWhatWasJournaled() throws Exception {
        assumeTrue(keepsPositions());
        List<String> all = polled();
        List<String> journaled;
        try (Source source = opened()) {
            journaled = first(source);
            source.journaled();
        }
        assertEquals(all.subList(0, journaled.size()), journaled, "points must come in the same order");
        try (Source source = opened()) {
            assertEquals(
                    all.subList(journaled.size(), all.size()),
                    all(source, true),
                    "the next instance must begin after the journaled points");
        }
        assertEquals(List.of(), polled(), "no point must be emitted after all points were journaled");
    }

    /** The node calls {@code journaled} after every poll, including empty polls. */
    @Test
    void hearsThatNothingWasJournaled() throws Exception {
        try (Source source = opened()) {
            assertDoesNotThrow(source::journaled);
        }
    }

    /** After a failure the node opens another instance. */
    @Test
    void canBeClosedTwiceAndOpenedAgain() throws Exception {
        Source first = opened();
        first.close();
        assertDoesNotThrow(first::close);
        try (Source second = opened()) {
            assertFalse(first(second).isEmpty(), "a new instance must emit points after another was closed");
        }
    }

    /** The node also closes a source after a failed {@code open}. */
    @Test
    void canBeClosedThoughItWasNeverOpened() {
        assertDoesNotThrow(() -> source().close());
    }

    /** A node reports bad settings before the node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
