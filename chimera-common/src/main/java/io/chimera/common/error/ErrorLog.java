package io.chimera.common.error;

import io.chimera.common.agent.Clock;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.agrona.ErrorHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that hears of a node's errors. Logs each kind (class, and the line that threw it) when it is first seen
 * and then at most once a minute, with its count, so that an error in a loop neither floods the log nor grows anything.
 * What is no {@link ChimeraException} is a defect: it is logged with its stack trace and stops the node, as FATAL does;
 * recovery then does its job. Any thread.
 */
public final class ErrorLog implements ErrorHandler {
    /** A node has a few dozen lines that throw; beyond this all further kinds are counted as one. */
    static final int KINDS_MAX = 128;

    private static final Logger LOG = LoggerFactory.getLogger(ErrorLog.class);
    private static final long REPEAT_NS = TimeUnit.MINUTES.toNanos(1);
    private static final String OTHER_KINDS = "other";

    private final Clock clock;
    private final Consumer<Throwable> onFatal;
    private final LineSink lines;
    private final Counters<ErrorCounter> counters = new Counters<>(ErrorCounter.class);
    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * An empty log.
     *
     * @param clock tells when to log again
     * @param onFatal called once, on the thread of the first fatal error; must return at once, so it tells another thread
     *     to stop the node
     */
    public ErrorLog(Clock clock, Consumer<Throwable> onFatal) {
        this(clock, onFatal, ErrorLog::log);
    }

    ErrorLog(Clock clock, Consumer<Throwable> onFatal, LineSink lines) {
        this.clock = clock;
        this.onFatal = onFatal;
        this.lines = lines;
    }

    /** Where lines go. */
    @FunctionalInterface
    interface LineSink {
        /** Writes a line; the defect is null unless it is one. */
        void log(Category category, String line, Throwable defect);
    }

    /**
     * A kind of error that was seen.
     *
     * @param category how bad
     * @param message of the latest one
     * @param count how many
     * @param firstMs wall clock of the first
     * @param lastMs wall clock of the latest
     */
    public record Seen(Category category, String message, long count, long firstMs, long lastMs) {}

    private static final class Kind {
        private final Category category;
        private final long firstMs;
        private String message;
        private long count;
        private long lastMs;
        private long loggedNs;
        private long loggedCount;

        Kind(Category category, long firstMs) {
            this.category = category;
            this.firstMs = firstMs;
        }
    }

    @Override
    public void onError(Throwable error) {
        Category category = categoryOf(error);
        counters.increment(counterOf(category));
        try {
            String line = record(error, category);
            if (line != null) {
                lines.log(category, line, error instanceof ChimeraException ? null : error);
            }
        } finally { // where memory has run out a line may not be to be had, and the node has to stop all the same
            if (category == Category.FATAL && stopped.compareAndSet(false, true)) {
                onFatal.accept(error);
            }
        }
    }

    /** Counts the error; returns the line to log, or null when it was logged shortly ago. */
    private String record(Throwable error, Category category) {
        synchronized (kinds) {
            String key = keyOf(error);
            if (!kinds.containsKey(key) && kinds.size() >= KINDS_MAX) {
                key = OTHER_KINDS;
            }
            Kind kind = kinds.computeIfAbsent(key, absent -> new Kind(category, clock.epochMs()));
            kind.message = messageOf(error);
            kind.lastMs = clock.epochMs();
            kind.count++;
            long now = clock.nanoTime();
            if (kind.loggedCount > 0 && now - kind.loggedNs < REPEAT_NS) {
                return null;
            }
            long since = kind.count - kind.loggedCount;
            kind.loggedNs = now;
            kind.loggedCount = kind.count;
            return since == 1 ? kind.message : kind.message + " (" + since + " times since it was last logged.)";
        }
    }

    private static void log(Category category, String line, Throwable defect) {
        if (defect != null) {
            LOG.error("A defect stops the node: {}", line, defect);
        } else if (category == Category.WARN) {
            LOG.warn("{}", line);
        } else {
            LOG.error("{}", line);
        }
    }

    /** Kinds of errors seen so far, oldest first. */
    public List<Seen> seen() {
        synchronized (kinds) {
            List<Seen> all = new ArrayList<>();
            kinds.values()
                    .forEach(kind ->
                            all.add(new Seen(kind.category, kind.message, kind.count, kind.firstMs, kind.lastMs)));
            return all;
        }
    }

    /** Counts by category. */
    public Counters<ErrorCounter> counters() {
        return counters;
    }

    private static Category categoryOf(Throwable error) {
        return error instanceof ChimeraException typed ? typed.category() : Category.FATAL;
    }

    private static ErrorCounter counterOf(Category category) {
        return switch (category) {
            case WARN -> ErrorCounter.WARNINGS;
            case ERROR -> ErrorCounter.ERRORS;
            case FATAL -> ErrorCounter.FATALS;
        };
    }

    private static String keyOf(Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        return error.getClass().getName() + "@" + (stack.length == 0 ? "unknown" : stack[0]);
    }

    private static String messageOf(Throwable error) {
        String message = error.getMessage();
        return error instanceof ChimeraException && message != null ? message : error.toString();
    }
}
