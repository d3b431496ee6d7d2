package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.index.Probe;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A filter of packets in the syntax of libpcap, compiled for frames of one kind. It matches exactly the frames that tcpdump prints with
 * the same filter: those among them that were cut short do not match when the filter has to look behind the cut. See docs/archive.md
 * for what is refused. Immutable; any thread.
 */
public final class PacketFilter {
    private final ReadFilter read;
    private final Program program;

    private PacketFilter(ReadFilter read) {
        this.read = read;
        this.program = Program.of(read.condition());
    }

    /**
     * Compiles a filter.
     *
     * @param text in the syntax of pcap-filter; empty: every frame
     * @param linkType how the frames begin; the number is that of pcap files
     * @throws QuestionException where the filter is not understood, or asks for what the archive does not have
     */
    public static PacketFilter compile(String text, int linkType) {
        return compile(ReadFilter.of(text, Tokens.of(text), linkType));
    }

    static PacketFilter compile(ReadFilter read) {
        return new PacketFilter(read);
    }

    /** Whether frames of a link type can be asked about. */
    public static boolean isKnown(int linkType) {
        return LinkTypes.isKnown(LinkTypes.of(linkType));
    }

    /** What whoever asks should be told, though the filter is understood; often empty. */
    public List<String> warnings() {
        return read.warnings();
    }

    /**
     * Whether a frame matches.
     *
     * @param address of its first byte
     * @param captured bytes there
     * @param length bytes that were on the wire
     */
    @HotPath
    public boolean matches(long address, int captured, int length) {
        return program.matches(null, address, captured, length);
    }

    /**
     * Whether a frame matches.
     *
     * @param buffer it is in
     * @param offset of its first byte
     * @param captured bytes there
     * @param length bytes that were on the wire
     * @throws IndexOutOfBoundsException when they do not lie in the buffer
     */
    @HotPath
    public boolean matches(DirectBuffer buffer, int offset, int captured, int length) {
        buffer.boundsCheck(offset, captured);
        return program.matches(buffer.byteArray(), buffer.addressOffset() + offset, captured, length);
    }

    /** What to ask an index made with {@link PacketKeys#keys} for: no packet that matches is in an interval that it leaves out. */
    public Probe probe() {
        return read.probe();
    }

    int steps() {
        return program.steps();
    }

    @Override
    public String toString() {
        return read.text();
    }
}
