package io.chimera.queue.source;

import io.chimera.common.channel.WireProtocol;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The bad points of one request: how many there are, and the first hundred of them. Not thread-safe. */
final class RejectList implements RejectListener {
    /** The most rejected points that are kept for the answer. */
    static final int KEPT_MAX = 100;

    /** The most bytes of a bad point that the answer repeats. */
    static final int TEXT_LENGTH_MAX = 256;

    /** A rejected point. */
    record Reject(long line, String reason, String text) {}

    private final List<Reject> kept = new ArrayList<>();
    private final WireProtocol own;
    private long count;
    private WireProtocol foreign;

    /**
     * No bad points.
     *
     * @param own protocol of the input; null when it is a plugin's
     */
    RejectList(WireProtocol own) {
        this.own = own;
    }

    @Override
    public void rejected(byte[] bytes, int offset, int length, long line, String reason) {
        if (count++ == 0) {
            foreign = WireProtocol.foreign(bytes, offset, length, own).orElse(null);
        }
        if (kept.size() < KEPT_MAX) {
            int shown = Math.min(length, TEXT_LENGTH_MAX);
            String text = new String(bytes, offset, shown, StandardCharsets.UTF_8);
            kept.add(new Reject(line, reason, shown < length ? text + "…" : text));
        }
    }

    /** Number of rejected points. */
    long count() {
        return count;
    }

    /** Names the protocol of the sender where it is recognised as one of another port; empty otherwise. */
    String hint() {
        return foreign == null ? "" : foreign.refusal();
    }

    /** The first of them. */
    List<Reject> kept() {
        return Collections.unmodifiableList(kept);
    }
}
