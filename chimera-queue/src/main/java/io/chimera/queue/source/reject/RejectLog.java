package io.chimera.queue.source.reject;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.WireProtocol;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports rejected data to the operator, per input and reason: one log line at once and then at most one per minute,
 * and a warning until no data was rejected for some minutes. Inputs count on any thread; one thread logs.
 */
final class RejectLog {
    private static final Logger LOG = LoggerFactory.getLogger(RejectLog.class);

    private static final long LOG_NS = TimeUnit.MINUTES.toNanos(1);

    /**
     * Lifetime of a warning after the last rejection; longer than the interval of a sender with one request per minute.
     */
    static final long QUIET_NS = TimeUnit.MINUTES.toNanos(5);

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int WARNINGS_MAX = 8;
    private static final String CORRECT = "Correct the sender; the rejected data is in the folder dead-letters.";
    private static final String CORRECT_REQUESTS = "Correct the sender; the rejected requests were not stored.";

    private final Clock clock;
    private final Wakeup wakeup;
    private final Consumer<String> lines;
    private final List<InputRejects> inputs = new CopyOnWriteArrayList<>();
    private long lookedNs;

    RejectLog(Clock clock, Wakeup wakeup) {
        this(clock, wakeup, line -> LOG.warn("{}", line));
    }

    /** Creates a log with another destination, for tests. */
    RejectLog(Clock clock, Wakeup wakeup, Consumer<String> lines) {
        this.clock = clock;
        this.wakeup = wakeup;
        this.lines = lines;
        lookedNs = clock.nanoTime();
    }

    /** Adds an input, or the ports of an input with a common protocol. Thread-safe. */
    InputRejects add(String name) {
        InputRejects input = new InputRejects(name, clock, wakeup);
        inputs.add(input);
        return input;
    }

    /** Writes due log lines; returns their number. */
    int doWork() {
        long nowNs = clock.nanoTime();
        boolean isTime = nowNs - lookedNs >= LOOK_NS;
        int written = 0;
        for (InputRejects input : inputs) {
            if (input.takePending() || isTime) {
                written += log(input, nowNs);
            }
        }
        if (isTime) {
            lookedNs = nowNs;
        }
        return written;
    }

    private int log(InputRejects input, long nowNs) {
        int written = 0;
        for (RejectReason reason : input.reasons()) {
            if (reason.isDue(nowNs, LOG_NS)) {
                log(input, reason, nowNs);
                written++;
            } else if (reason.sample() == null && nowNs - reason.lastNs() >= QUIET_NS) {
                input.forget(reason);
            }
        }
        return written;
    }

    private void log(InputRejects input, RejectReason reason, long nowNs) {
        RejectReason.Sample sample = reason.sample();
        String otherwise = sample.line() == 0 ? CORRECT_REQUESTS : CORRECT;
        String remedy = WireProtocol.isRefusal(reason.text()) // which has its own
                ? otherwise
                : hint(input, sample).map(WireProtocol::refusal).orElse(otherwise);
        long count = reason.logged(nowNs, remedy);
        lines.accept("Input rejected data: input=" + input.input() + " reason=\"" + reason.text() + "\" count=" + count
                + " sender=" + text(sample.sender()) + " line=" + sample.line() + " text=\""
                + RejectedText.of(sample.bytes(), sample.octets().length()) + "\". " + remedy);
    }

    private static Optional<WireProtocol> hint(InputRejects input, RejectReason.Sample sample) {
        byte[] bytes = sample.bytes();
        return WireProtocol.foreign(bytes, 0, bytes.length, input.protocol());
    }

    /** Formats a sender's address without a name lookup. */
    private static String text(InetSocketAddress sender) {
        if (sender == null) {
            return "unknown";
        }
        return sender.getAddress() == null
                ? sender.getHostString()
                : sender.getAddress().getHostAddress() + ":" + sender.getPort();
    }

    /** Warnings per input and reason of the last minutes, the largest counts first. Thread-safe. */
    List<String> warnings() {
        long nowNs = clock.nanoTime();
        record Recent(String input, RejectReason reason) {}
        List<Recent> recent = new ArrayList<>();
        for (InputRejects input : inputs) {
            for (RejectReason reason : input.reasons()) {
                if (nowNs - reason.lastNs() < QUIET_NS) {
                    recent.add(new Recent(input.input(), reason));
                }
            }
        }
        recent.sort(Comparator.comparingLong(one -> -one.reason().count()));
        List<String> warnings = new ArrayList<>();
        for (Recent one : recent.subList(0, Math.min(recent.size(), WARNINGS_MAX))) {
            warnings.add(warning(one.input(), one.reason()));
        }
        if (recent.size() > WARNINGS_MAX) {
            warnings.add("Inputs reject data for " + (recent.size() - WARNINGS_MAX) + " further reasons; see the log.");
        }
        return warnings;
    }

    private static String warning(String input, RejectReason reason) {
        Instant since = Instant.ofEpochMilli(reason.sinceMs()).truncatedTo(ChronoUnit.SECONDS);
        return "Input " + input + " rejected data " + reason.count() + " times since " + since + ": " + reason.text()
                + ". Last sampled sender: " + text(reason.sender()) + ". "
                + (reason.remedy().isEmpty() ? CORRECT : reason.remedy());
    }
}
