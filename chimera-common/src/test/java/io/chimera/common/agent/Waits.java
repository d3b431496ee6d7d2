package io.chimera.common.agent;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Time limit of every wait in tests. The limit is far above the time of a slow machine, because a satisfied wait ends
 * immediately: only a failing test waits for the whole limit.
 */
public final class Waits {

    /** Time limit in seconds. */
    public static final long SECONDS_MAX = 1_200;

    /** Time limit. */
    public static final Duration MAX = Duration.ofSeconds(SECONDS_MAX);

    private Waits() {}

    /** Waits for a condition. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(MAX);
    }

    /** Waits for a named condition; a failure message contains the name. */
    public static ConditionFactory await(String condition) {
        return Awaitility.await(condition).atMost(MAX);
    }
}
