package io.chimera.queue.source.reject;

import io.chimera.common.channel.WireProtocol;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Rejected points of one request: the total and the first hundred points. Not thread-safe. */
public final class RejectList implements RejectListener {
    /** Maximum number of rejected points kept for the answer. */
    static final int KEPT_MAX = 100;

    /** Maximum number of bytes of a rejected point repeated in the answer. */
    public static final int TEXT_LENGTH_MAX = 256;

    public record Reject(long line, String reason, String text) {}

    private final List<Reject> kept = new ArrayList<>();
    private final WireProtocol own;
    private long count;
    private WireProtocol foreign;

    /**
     * Creates an empty list.
     *
     * @param own protocol of the input; null for a plugin's protocol
     */
    public RejectList(WireProtocol own) {
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
    public long count() {
        return count;
    }

    /**
     * Returns a hint with the name of the sender's protocol, if recognised as foreign to this input; empty otherwise.
     */
    public String hint() {
        return foreign == null ? "" : foreign.refusal();
    }

    /** The first rejected points. */
    public List<Reject> kept() {
        return Collections.unmodifiableList(kept);
    }
}
