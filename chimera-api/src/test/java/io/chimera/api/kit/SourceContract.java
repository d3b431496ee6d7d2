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
 * What every source has to pass. Extend it in a test of the plugin, which gives the source something to fetch: a few points, which do not
 * change during a test.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SourceContract {
    /** Of each poll, so that points to which the source gives no time can be compared. */
    private static final long POLL_NS = 1_700_000_000_000_000_000L;

    /** As a node pauses when there was nothing. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A source that gives nothing in so many polls has nothing. */
    private static final int EMPTY_POLLS_MAX = 3;

    private static final int POLLS_MAX = 400;

    /** For tests that extend it. */
    protected SourceContract() {}

    /** The source; a new one each time. */
    protected abstract Source source();

    /** Settings with which it works. */
    protected abstract Record settings();

    /** Whether it goes on where {@link Source#journaled} was called last, as one of files or queues does; a sensor does not. */
    protected abstract boolean keepsPositions();

    /** Settings that it must refuse, by a function that makes them; by default none. */
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
                throw new IllegalStateException("The points are used outside of a poll.");
            }
            points.add(point.toString());
        });
        boolean more = source.poll(out);
        isOpen[0] = false;
        assertFalse(more && points.isEmpty(), "a poll without points returns false, so that the node pauses");
        if (!more) {
            LockSupport.parkNanos(PAUSE_NS);
        }
        return points;
    }

    /** The points of one poll, the first that has some. */
    private static List<String> first(Source source) throws Exception {
        for (int polls = 0; polls < POLLS_MAX; polls++) {
            List<String> points = poll(source);
            if (!points.isEmpty()) {
                return points;
            }
        }
        return List.of();
    }

    /** The points until there are no more. */
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

    /** What a new instance gives until there is no more, each as {@code <metric><tags><fields>@<time>}, without telling it that they are safe. */
    protected final List<String> polled() throws Exception {
        try (Source source = opened()) {
            return all(source, false);
        }
    }

    /** Name and settings are as the configuration wants them. */
    @Test
    void hasANameAndARecordOfItsSettings() {
        assertTrue(source().name().matches("[a-z0-9_]{1,64}"), "name: " + source().name());
        assertEquals(
                source().settings(),
                settings().getClass(),
                "settings() of the kit is a record of settings() of the source");
    }

    /** The test gives it something to fetch. */
    @Test
    void givesPoints() throws Exception {
        try (Source source = opened()) {
            assertFalse(first(source).isEmpty(), "no poll gives a point");
            source.journaled();
        }
    }

    /** The node died, or its ring was full: the points are nowhere else. */
    @Test
    void givesAgainWhatWasNotJournaled() throws Exception {
        assumeTrue(keepsPositions());
        List<String> all = polled();
        assertEquals(all, polled(), "what was polled and not journaled is given again by the next instance");
    }

    /** What is in the journal is not asked for again. */
    @Test
    void goesOnBehindWhatWasJournaled() throws Exception {
        assumeTrue(keepsPositions());
        List<String> all = polled();
        List<String> journaled;
        try (Source source = opened()) {
            journaled = first(source);
            source.journaled();
        }
        assertEquals(all.subList(0, journaled.size()), journaled, "the same points come in the same order");
        try (Source source = opened()) {
            assertEquals(
                    all.subList(journaled.size(), all.size()),
                    all(source, true),
                    "the next instance begins behind the points that were journaled");
        }
        assertEquals(List.of(), polled(), "all points were journaled");
    }

    /** Each poll is followed by it, also one without points. */
    @Test
    void hearsThatNothingWasJournaled() throws Exception {
        try (Source source = opened()) {
            assertDoesNotThrow(source::journaled);
        }
    }

    /** After a failure the node opens another. */
    @Test
    void canBeClosedTwiceAndOpenedAgain() throws Exception {
        Source first = opened();
        first.close();
        assertDoesNotThrow(first::close);
        try (Source second = opened()) {
            assertFalse(first(second).isEmpty(), "an instance gives points after another was closed");
        }
    }

    /** So it is when it could not be opened. */
    @Test
    void canBeClosedThoughItWasNeverOpened() {
        assertDoesNotThrow(() -> source().close());
    }

    /** Whoever writes the configuration hears of it before a node starts. */
    @Test
    void refusesBadSettings() {
        for (Runnable bad : badSettings()) {
            assertThrows(IllegalArgumentException.class, bad::run);
        }
    }
}
