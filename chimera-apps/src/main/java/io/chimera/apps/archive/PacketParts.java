package io.chimera.apps.archive;

import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.PacketCopies;
import io.chimera.archive.query.QueryProgress;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * An answer as one archive node sends it to another: parts with the packets of one stream, and a last one that says what was done. One
 * that does not end with that is not whole.
 *
 * <pre>
 *   part of packets:  | u8 1 | name of the stream, as {@link DataOutputStream#writeUTF} does | u32 bytes | an interval, see PacketInterval |
 *   last part:        | u8 2 | streams u32 | ten counts u64 | what is damaged, as a name |       all numbers big-endian
 * </pre>
 */
final class PacketParts {
    static final int PACKETS = 1;
    static final int END = 2;

    /** What the longest packet needs has room beside it. */
    static final int PART_BYTES_MAX = 1 << 20;

    private static final int PART_BYTES = 64 << 10;

    private final PacketCopies copies = new PacketCopies(PART_BYTES);
    private final DataOutputStream out;
    private final byte[] bytes = new byte[PART_BYTES];
    private String stream = "";

    PacketParts(OutputStream out) {
        this.out = new DataOutputStream(out);
    }

    /**
     * Writes all packets.
     *
     * @param each is run for each
     */
    void write(FoundPackets packets, Runnable each) throws IOException {
        while (packets.next()) {
            each.run();
            if (!packets.stream().equals(stream) || !copies.add(packets.packet())) {
                send();
                stream = packets.stream();
                copies.add(packets.packet());
            }
        }
        send();
        end(packets.progress());
    }

    private void send() throws IOException {
        if (copies.packets() > 0) {
            int length = copies.finish();
            out.writeByte(PACKETS);
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
