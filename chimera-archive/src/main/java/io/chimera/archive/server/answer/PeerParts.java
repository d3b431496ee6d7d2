package io.chimera.archive.server.answer;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.ItemCopies;
import io.chimera.archive.query.answer.PacketCopies;
import io.chimera.archive.query.answer.PointCopies;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes an answer in the transfer format between archive nodes: parts with the items of one stream each, and a last
 * part with the query's statistics. An answer without the last part is incomplete.
 *
 * <pre>
 *   part of items:    | u8 1 packets, 4 points | name of the stream | u32 bytes | an interval |
 *   last part:        | u8 2 | streams u32 | ten counts u64 | damage, as a name |       all numbers big-endian
 *   last of an incomplete answer: | u8 3 | reason, as a name |
 *
 *   a name: see {@link DataOutputStream#writeUTF}; an interval: see PacketInterval and PointInterval
 * </pre>
 *
 * @param <F> the items
 */
public final class PeerParts<F extends FoundItems> {
    public static final int PACKETS = 1;
    public static final int END = 2;
    public static final int FAILURE = 3;
    public static final int POINTS = 4;

    /** Maximum size of a part: large enough for the longest item. */
    public static final int PART_BYTES_MAX = 1 << 20;

    private static final int WHY_LENGTH_MAX = 1_000;
    private static final int PART_BYTES = 64 << 10;

    private final int kind;
    private final ItemCopies<F> copies;
    private final DataOutputStream out;
    private final byte[] bytes = new byte[PART_BYTES];
    private String stream = "";

    private PeerParts(int kind, ItemCopies<F> copies, OutputStream out) {
        this.kind = kind;
        this.copies = copies;
        this.out = new DataOutputStream(out);
    }

    /** Creates an answer of packets. */
    public static PeerParts<FoundPackets> ofPackets(OutputStream out) {
        return new PeerParts<>(PACKETS, new PacketCopies(PART_BYTES), out);
    }

    /** Creates an answer of data points. */
    static PeerParts<FoundPoints> ofPoints(OutputStream out) {
        return new PeerParts<>(POINTS, new PointCopies(PART_BYTES), out);
    }

    /** Writes the last part of an incomplete answer. */
    public static void fail(OutputStream to, String why) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeByte(FAILURE);
        out.writeUTF(why.substring(0, Math.min(WHY_LENGTH_MAX, why.length())));
        out.flush();
    }

    /**
     * Writes all items. A cancelled query writes no last part, because its matches are incomplete.
     *
     * @param each runs once per item
     */
    public void write(F items, Runnable each) throws IOException {
        while (items.next()) {
            each.run();
            if (!items.stream().equals(stream) || !copies.add(items)) {
                send();
                stream = items.stream();
                copies.add(items);
            }
        }
        send();
        if (!items.isCancelled()) {
            end(items.progress());
        }
    }

    private void send() throws IOException {
        if (copies.items() > 0) {
            int length = copies.finish();
            out.writeByte(kind);
            out.writeUTF(stream);
            out.writeInt(length);
            for (int at = 0; at < length; at += bytes.length) {
                int part = Math.min(bytes.length, length - at);
                copies.buffer().getBytes(at, bytes, 0, part);
                out.write(bytes, 0, part);
            }
            copies.clear();
        }
    }

    private void end(QueryProgress progress) throws IOException {
        out.writeByte(END);
        out.writeInt(progress.streams());
        out.writeLong(progress.intervals());
        out.writeLong(progress.skipped());
        out.writeLong(progress.gone());
        out.writeLong(progress.damaged());
        out.writeLong(progress.dataBytes());
        out.writeLong(progress.indexBytes());
        out.writeLong(progress.indexReads());
        out.writeLong(progress.looked());
        out.writeLong(progress.unasked());
        out.writeLong(progress.found());
        out.writeUTF(progress.damage());
        out.flush();
    }
}
