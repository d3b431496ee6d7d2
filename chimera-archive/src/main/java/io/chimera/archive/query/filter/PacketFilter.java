package io.chimera.archive.query.filter;

import io.chimera.api.HotPath;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.condition.Program;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Tokens;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Packet filter in the syntax of libpcap, compiled for one link type. Matches exactly the frames printed by tcpdump
 * with the same filter; a truncated frame does not match if the filter needs bytes after the cut. See docs/archive.md
 * for the refused terms. Immutable; any thread.
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
     * @param linkType link type of the frames, numbered as in pcap files
     * @throws QuestionException when the filter is invalid, or needs data missing in the archive
     */
    public static PacketFilter compile(String text, int linkType) {
        return compile(ReadFilter.of(text, Tokens.of(text), linkType));
    }

    static PacketFilter compile(ReadFilter read) {
        return new PacketFilter(read);
    }

    /** Returns true if filters support the link type. */
    public static boolean isKnown(int linkType) {
        return LinkTypes.isKnown(LinkTypes.of(linkType));
    }

    /** Returns hints for the author of an otherwise valid filter; often empty. */
    public List<String> warnings() {
        return read.warnings();
    }

    /**
     * Returns true if a frame matches.
     *
     * @param address address of the first byte
     * @param captured number of captured bytes
     * @param length length of the frame on the wire
     */
    @HotPath
    public boolean matches(long address, int captured, int length) {
        return program.matches(null, address, captured, length);
    }

    /**
     * Returns true if a frame matches.
     *
     * @param buffer buffer with the frame
     * @param offset offset of the first byte
     * @param captured number of captured bytes
     * @param length length of the frame on the wire
     * @throws IndexOutOfBoundsException when the frame exceeds the buffer
     */
    @HotPath
    public boolean matches(DirectBuffer buffer, int offset, int captured, int length) {
        buffer.boundsCheck(offset, captured);
        return program.matches(buffer.byteArray(), buffer.addressOffset() + offset, captured, length);
    }

    /**
     * Returns the probe for an index with {@link PacketKeys#keys}: every interval with a matching packet matches the
     * probe.
     */
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
