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
 * Central handler of a node's errors. Logs each kind of error (class and throwing line) at its first occurrence and
 * then at most once a minute, with its count, so an error in a loop floods neither the log nor the memory. Any
 * exception other than {@link ChimeraException} is a defect: the handler logs the stack trace and stops the node, as
 * for FATAL; the cluster recovers the node's work. Any thread.
 */
public final class ErrorLog implements ErrorHandler {
    /** Maximum number of kinds. A node has a few dozen throwing lines; further kinds are counted together. */
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
     * Creates an empty log.
     *
     * @param clock clock of the repetition interval
     * @param onFatal called once, on the thread of the first fatal error; must return immediately, so another thread
     *     must stop the node
     */
    public ErrorLog(Clock clock, Consumer<Throwable> onFatal) {
        this(clock, onFatal, ErrorLog::log);
    }

    ErrorLog(Clock clock, Consumer<Throwable> onFatal, LineSink lines) {
        this.clock = clock;
        this.onFatal = onFatal;
        this.lines = lines;
    }

    /** Output of log lines. */
    @FunctionalInterface
    interface LineSink {
        /** Writes a line; {@code defect} is null unless the error is a defect. */
        void log(Category category, String line, Throwable defect);
    }

    /**
     * Statistics of one kind of error.
     *
     * @param category severity
     * @param message message of the latest error
     * @param count number of errors
     * @param firstMs wall clock of the first error
     * @param lastMs wall clock of the latest error
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
        } finally { // the node must stop even if memory is too low to log
            if (category == Category.FATAL && stopped.compareAndSet(false, true)) {
                onFatal.accept(error);
            }
        }
    }

    /** Counts the error; returns the line to log, or null if the kind was logged recently. */
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
            return since == 1 ? kind.message : kind.message + " (" + since + " times since the last log line.)";
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

    /** Kinds of errors so far, oldest first. */
    public List<Seen> seen() {
        synchronized (kinds) {
            List<Seen> all = new ArrayList<>();
            kinds.values()
                    .forEach(kind ->
                            all.add(new Seen(kind.category, kind.message, kind.count, kind.firstMs, kind.lastMs)));
            return all;
        }
    }

    /** Error counts by category. */
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
