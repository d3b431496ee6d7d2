package io.chimera.common.agent;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Time limit for every condition that a test waits for. It is far beyond the time of a slow machine, because a wait
 * costs nothing once its condition holds: only a test that fails waits for the whole limit.
 */
public final class Waits {

    /** Time limit in seconds, for methods that take a number. */
    public static final long SECONDS_MAX = 1_200;

    /** Time limit. */
    public static final Duration MAX = Duration.ofSeconds(SECONDS_MAX);

    private Waits() {}

    /** Waits for a condition. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(MAX);
    }

    /** Waits for a condition that has a name in the message of a failure. */
    public static ConditionFactory await(String condition) {
        return Awaitility.await(condition).atMost(MAX);
    }
}
