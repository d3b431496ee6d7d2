package io.chimera.common.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ErrorLogTest {
    private final List<String> lines = new ArrayList<>();
    private final List<Throwable> fatal = new ArrayList<>();
    private long nowNs;
    private final ErrorLog log = new ErrorLog(
            new Clock() {
                @Override
                public long nanoTime() {
                    return nowNs;
                }

                @Override
                public long epochNs() {
                    return nowNs;
                }
            },
            fatal::add,
            (category, line, defect) -> lines.add(category + " " + line + (defect == null ? "" : " +trace")));

    @Test
    void logsAKindOnceAndThenWithItsCount() {
        for (int i = 1; i <= 1_000; i++) {
            log.onError(storeIsAway(i));
        }
        assertThat(lines).containsExactly("WARN Store does not answer, try 1.");

        nowNs += TimeUnit.SECONDS.toNanos(61);
        log.onError(storeIsAway(1_001));

        assertThat(lines)
                .containsExactly(
                        "WARN Store does not answer, try 1.",
                        "WARN Store does not answer, try 1001. (1000 times since the last log line.)");
        assertThat(log.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.count()).isEqualTo(1_001);
            assertThat(seen.message()).isEqualTo("Store does not answer, try 1001.");
            assertThat(seen.lastMs() - seen.firstMs()).isEqualTo(61_000);
        });
        assertThat(log.counters().get(ErrorCounter.WARNINGS)).isEqualTo(1_001);
    }

    @Test
    void keepsKindsApart() {
        log.onError(storeIsAway(1));
        log.onError(new ChimeraException(Category.ERROR, "Disk is full."));

        assertThat(lines).containsExactly("WARN Store does not answer, try 1.", "ERROR Disk is full.");
        assertThat(fatal).isEmpty();
    }

    @Test
    void stopsTheNodeOnceForWhatIsFatal() {
        ChimeraException first = new ChimeraException(Category.FATAL, "Journal is damaged.");

        log.onError(first);
        log.onError(new ChimeraException(Category.FATAL, "Journal is still damaged."));

        assertThat(fatal).containsExactly(first);
        assertThat(log.counters().get(ErrorCounter.FATALS)).isEqualTo(2);
    }

    @Test
    void stopsTheNodeEvenIfThereIsNoMemoryForALine() {
        OutOfMemoryError error = new OutOfMemoryError("tried");
        ErrorLog full = new ErrorLog(new SystemClock(), fatal::add, (category, line, defect) -> {
            throw error;
        });

        assertThatThrownBy(() -> full.onError(error)).isSameAs(error);

        assertThat(fatal).containsExactly(error);
    }

    @Test
    void takesWhatIsNoChimeraExceptionForADefect() {
        log.onError(new IllegalStateException("cannot be"));

        assertThat(lines).containsExactly("FATAL java.lang.IllegalStateException: cannot be +trace");
        assertThat(fatal).hasSize(1);
    }

    @Test
    void doesNotGrowBeyondItsBound() {
        for (int i = 0; i < 10 * ErrorLog.KINDS_MAX; i++) {
            ChimeraException error = new ChimeraException(Category.WARN, "Kind " + i + ".");
            error.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "C.java", i)});
            log.onError(error);
        }

        assertThat(log.seen()).hasSize(ErrorLog.KINDS_MAX + 1);
        assertThat(log.seen().stream().mapToLong(ErrorLog.Seen::count).sum()).isEqualTo(10L * ErrorLog.KINDS_MAX);
        assertThat(lines).hasSize(ErrorLog.KINDS_MAX + 1);
    }

    private static ChimeraException storeIsAway(int attempt) {
        return new ChimeraException(Category.WARN, "Store does not answer, try " + attempt + ".");
    }
}
