package io.chimera.flow.table;

import io.chimera.api.HotPath;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import java.util.stream.IntStream;
import org.agrona.UnsafeApi;

/**
 * Statistics of a flow table (STATS of Fais et al. 2021, section 5.1): packets by outcome; packets, bytes and flows by
 * protocol; records by end reason. Written by the table's thread; other threads may read stale values.
 */
public final class FlowCounts {
    private static final int PROTOCOLS = 256;
    private static final int PACKETS = 0;
    private static final int BYTES = 1;
    private static final int WIRE_BYTES = 2;
    private static final int FLOWS = 3;
    private static final int COLUMNS = 4;
    private static final int IP = PacketOutcome.IP.code();

    private final long[] outcomes = new long[PacketOutcome.count()];
    private final long[] protocols = new long[PROTOCOLS * COLUMNS];
    private final long[] ended = new long[FlowRecord.END_LACK_OF_RESOURCES + 1];
    private long otherWireBytes;
    private long laterFragments;
    private long tunnelsUnread;
    private long clockJumps;
    private long unplaced;
    private long heldBack;

    FlowCounts() {}

    /** Counts a packet; returns whether the packet belongs to a flow. */
    @HotPath
    boolean packet(long tuple) {
        int outcome = UnsafeApi.getByte(tuple + PacketTuple.OUTCOME);
        long wire = UnsafeApi.getInt(tuple + PacketTuple.WIRE_BYTES) & 0xFFFF_FFFFL;
        outcomes[outcome]++;
        if (outcome != IP) {
            otherWireBytes += wire;
            return false;
        }
        int row = (UnsafeApi.getByte(tuple + PacketTuple.PROTOCOL) & 0xFF) * COLUMNS;
        protocols[row + PACKETS]++;
        protocols[row + BYTES] += UnsafeApi.getInt(tuple + PacketTuple.IP_BYTES) & 0xFFFF_FFFFL;
        protocols[row + WIRE_BYTES] += wire;
        int flags = UnsafeApi.getByte(tuple + PacketTuple.FLAGS);
        if (flags != 0) {
            laterFragments += (flags & PacketTuple.FLAG_LATER_FRAGMENT) != 0 ? 1 : 0;
            tunnelsUnread += (flags & PacketTuple.FLAG_TUNNEL_UNREAD) != 0 ? 1 : 0;
        }
        return true;
    }

    @HotPath
    void flow(int protocol) {
        protocols[protocol * COLUMNS + FLOWS]++;
    }

    @HotPath
    void ended(int reason) {
        ended[reason]++;
    }

    void clockJumped() {
        clockJumps++;
    }

    @HotPath
    void countUnplaced() {
        unplaced++;
    }

    @HotPath
    void countHeldBack() {
        heldBack++;
    }

    /** Returns the number of all packets. */
    public long packets() {
        return sum(outcomes);
    }

    /** Returns the number of packets with an outcome. */
    public long packets(PacketOutcome outcome) {
        return outcomes[outcome.code()];
    }

    /** Returns the number of damaged or truncated packets. */
    public long malformed() {
        return IntStream.range(0, outcomes.length)
                .filter(outcome -> PacketOutcome.of(outcome).isMalformed())
                .mapToLong(outcome -> outcomes[outcome])
                .sum();
    }

    /** Returns the wire bytes of all frames. */
    public long wireBytes() {
        return column(WIRE_BYTES) + otherWireBytes;
    }

    /** Returns the wire bytes of the frames of all IP packets. */
    public long ipWireBytes() {
        return column(WIRE_BYTES);
    }

    /** Returns the bytes of all IP packets. */
    public long ipBytes() {
        return column(BYTES);
    }

    /** Returns the number of flows; a flow split into several records counts once. */
    public long flows() {
        return column(FLOWS);
    }

    /** Returns the number of packets of a protocol. */
    public long packets(int protocol) {
        return protocols[protocol * COLUMNS + PACKETS];
    }

    /** Returns the IP bytes of a protocol. */
    public long ipBytes(int protocol) {
        return protocols[protocol * COLUMNS + BYTES];
    }

    /** Returns the wire bytes of a protocol. */
    public long wireBytes(int protocol) {
        return protocols[protocol * COLUMNS + WIRE_BYTES];
    }

    /** Returns the number of flows of a protocol. */
    public long flows(int protocol) {
        return protocols[protocol * COLUMNS + FLOWS];
    }

    /** Returns the number of ended records. */
    public long records() {
        return sum(ended);
    }

    /** Returns the number of records with an end reason, one of {@link FlowRecord}'s {@code END_*}. */
    public long records(int reason) {
        return ended[reason];
    }

    /** Returns the number of non-first fragments. */
    public long laterFragments() {
        return laterFragments;
    }

    /** Returns the number of tunnel packets with an unreadable inner packet, when inner packets are configured. */
    public long tunnelsUnread() {
        return tunnelsUnread;
    }

    /** Returns how often packet time went back by more than the idle timeout, which ended all flows. */
    public long clockJumps() {
        return clockJumps;
    }

    /** Returns the number of packets without a flow: the table was full and no record could be evicted. */
    public long unplaced() {
        return unplaced;
    }

    /** Returns how often the sink refused a record, so that the record stayed in the table. */
    public long heldBack() {
        return heldBack;
    }

    private long column(int column) {
        long sum = 0;
        for (int row = 0; row < PROTOCOLS; row++) {
            sum += protocols[row * COLUMNS + column];
        }
        return sum;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }
}
