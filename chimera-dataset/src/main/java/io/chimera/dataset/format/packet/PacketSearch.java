package io.chimera.dataset.format.packet;

import io.chimera.jni.capture.CaptureRecords;
import java.io.IOException;

/**
 * Searches a border in the middle of a capture: the first record after a lead. The search begins with the first
 * position from which a long chain of likely records leads on, or a chain to the end of the capture. The position may
 * lie in a packet with a transferred capture; after the lead, the chain belongs to the capture itself. The border
 * depends on the bytes from the first position on alone, so two readers find the same border. One thread.
 */
final class PacketSearch {
    /** Result without a border. */
    static final long NONE = -1;

    private static final long BROKEN = -2;

    /** Maximum number of records in all chains of a search: bounds the time for bytes that look like records. */
    private static final int RECORDS_MAX = 8 << 20;

    private final PacketWindow window;
    private final CaptureRecords records;
    private final SearchDepth depth;
    private int recordsLeft;

    PacketSearch(PacketWindow window, CaptureRecords records, SearchDepth depth) {
        this.window = window;
        this.records = records;
        this.depth = depth;
    }

    /**
     * Searches the border.
     *
     * @param from first position; the window keeps the bytes from here on
     * @return position of a record; {@link #NONE} when the capture ends before, or no chain begins within the length of
     *     the largest record
     */
    long find(long from) throws IOException {
        recordsLeft = RECORDS_MAX;
        for (long at = from; at - from <= CaptureRecords.LIKELY_BYTES_MAX; at++) {
            if (!window.has(at, records.headerBytes())) {
                return NONE;
            }
            long border = records.likelyBytes(at) > 0 ? borderOfChain(at) : BROKEN;
            if (border != BROKEN) {
                return border;
            }
        }
        return NONE;
    }

    private long borderOfChain(long from) throws IOException {
        long at = from;
        long border = NONE;
        while (at - from < depth.chainBytes()) {
            if (border == NONE && at - from >= depth.leadBytes()) {
                border = at;
            }
            if (!window.has(at, records.headerBytes())) {
                return at == window.end() ? border : BROKEN;
            }
            int bytes = records.likelyBytes(at);
            if (bytes == 0 || !window.has(at, bytes) || !records.isLikelyWhole(at, bytes) || recordsLeft-- <= 0) {
                return BROKEN;
            }
            at += bytes;
        }
        return border == NONE ? at : border;
    }
}
