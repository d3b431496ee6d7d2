package io.chimera.queue.source.reject;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.WireProtocol;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Rejected data of one input, grouped by reason. Counting a known constant reason allocates nothing. The number of
 * reasons is bounded; further reasons share one entry. Thread-safe.
 */
public final class InputRejects {
    /** Chimera's parsers have about 40 reasons; a faulty sender triggers two or three of them. */
    static final int REASONS_MAX = 32;

    private static final String FURTHER = "further reasons";

    /** Maximum length of a reason in a log line. */
    private static final int LENGTH_MAX = 320;

    /** Variable parts of JSON reasons: element numbers, and names and texts in parentheses. */
    private static final Pattern INDEX = Pattern.compile("\\[\\d+]");

    private static final Pattern PARENTHESES = Pattern.compile("\\(.*\\)", Pattern.DOTALL);

    private final String input;
    private final Clock clock;
    private final Wakeup wakeup;
    private final ConcurrentHashMap<String, RejectReason> reasons = new ConcurrentHashMap<>();
    private volatile boolean isPending;
    private volatile WireProtocol protocol;

    InputRejects(String input, Clock clock, Wakeup wakeup) {
        this.input = input;
        this.clock = clock;
        this.wakeup = wakeup;
    }

    public String input() {
        return input;
    }

    /** Sets the protocol of the input, which never produces a hint. */
    public void speaks(WireProtocol newProtocol) {
        protocol = newProtocol;
    }

    /** Protocol of the input; null for a plugin's protocol. */
    public WireProtocol protocol() {
        return protocol;
    }

    /**
     * Counts rejected data.
     *
     * @param reason description of the error
     * @param bytes array with the data
     * @param offset first byte of the data
     * @param length bytes of the data
     * @param line line number; 0 without lines
     * @param sender address of the sender; null when unknown
     */
    @HotPath
    public void record(String reason, byte[] bytes, int offset, int length, long line, InetSocketAddress sender) {
        RejectReason known = reasons.get(reason);
        if (known == null) {
            known = find(reason);
        }
        if (known.record(bytes, offset, length, line, sender, clock.nanoTime())) {
            isPending = true;
            wakeup.wake();
        }
    }

    /** Counts a request rejected as a whole. */
    public void record(String reason, String target, InetSocketAddress sender) {
        byte[] text = target.getBytes(StandardCharsets.UTF_8);
        record(reason, text, 0, text.length, 0, sender);
    }

    @ColdPath
    private RejectReason find(String reason) {
        String kind = kindOf(reason);
        RejectReason known = reasons.get(kind);
        if (known != null) {
            return known;
        }
        String key = reasons.size() < REASONS_MAX ? kind : FURTHER;
        return reasons.computeIfAbsent(key, text -> new RejectReason(text, clock.epochMs(), clock.nanoTime()));
    }

    private static String kindOf(String reason) {
        String indexed = INDEX.matcher(reason).replaceAll("[n]");
        String kind = RejectedText.of(PARENTHESES.matcher(indexed).replaceAll("(…)"), LENGTH_MAX);
        return kind.endsWith(".") ? kind.substring(0, kind.length() - 1) : kind;
    }

    /** Whether a sample arrived since the last call. */
    boolean takePending() {
        boolean pending = isPending;
        if (pending) {
            isPending = false;
        }
        return pending;
    }

    Collection<RejectReason> reasons() {
        return reasons.values();
    }

    /** Removes a reason. A rejection counted at the same moment may be missing from the log, never from the metrics. */
    void forget(RejectReason reason) {
        reasons.remove(reason.text(), reason);
    }
}
