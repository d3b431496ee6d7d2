package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import io.chimera.common.packet.PacketOutcome;
import io.chimera.common.packet.PacketTuple;
import java.util.stream.IntStream;
import org.agrona.UnsafeApi;

/**
 * What a flow table counts beside its flows (STATS of Fais et al. 2021, section 5.1): packets by what became of them, packets, bytes
 * and flows by protocol, records by why they ended. Written by the thread of the table; another one sees numbers of a while ago.
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

    /** Counts a packet; returns whether it has a flow. */
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

    /** All packets. */
    public long packets() {
        return sum(outcomes);
    }

    /** Packets with an outcome. */
    public long packets(PacketOutcome outcome) {
        return outcomes[outcome.code()];
    }

    /** Packets that were damaged or cut too short. */
    public long malformed() {
        return IntStream.range(0, outcomes.length)
                .filter(outcome -> PacketOutcome.of(outcome).isMalformed())
                .mapToLong(outcome -> outcomes[outcome])
                .sum();
    }

    /** Bytes of all frames on the wire. */
    public long wireBytes() {
        return column(WIRE_BYTES) + otherWireBytes;
    }

    /** Bytes of the frames of all IP packets on the wire. */
    public long ipWireBytes() {
        return column(WIRE_BYTES);
    }

    /** Bytes of all IP packets. */
    public long ipBytes() {
        return column(BYTES);
    }

    /** Flows that were begun; one that goes on in another record is counted once. */
    public long flows() {
        return column(FLOWS);
    }

    /** Packets of a protocol. */
    public long packets(int protocol) {
        return protocols[protocol * COLUMNS + PACKETS];
    }

    /** Bytes of the IP packets of a protocol. */
    public long ipBytes(int protocol) {
        return protocols[protocol * COLUMNS + BYTES];
    }

    /** Bytes of the frames of a protocol on the wire. */
    public long wireBytes(int protocol) {
        return protocols[protocol * COLUMNS + WIRE_BYTES];
    }

    /** Flows of a protocol that were begun. */
    public long flows(int protocol) {
        return protocols[protocol * COLUMNS + FLOWS];
    }

    /** Records that ended. */
    public long records() {
        return sum(ended);
    }

    /** Records that ended for a reason, one of {@link FlowRecord}'s {@code END_*}. */
    public long records(int reason) {
        return ended[reason];
    }

    /** Fragments other than the first of a packet. */
    public long laterFragments() {
        return laterFragments;
    }

    /** Packets in tunnels whose inside could not be read, though it was wanted. */
    public long tunnelsUnread() {
        return tunnelsUnread;
    }

    /** Times that the time of packets went back by more than the idle timeout, which ended all flows. */
    public long clockJumps() {
        return clockJumps;
    }

    /** Packets that are in no flow: the table was full, and no record was taken out of it. */
    public long unplaced() {
        return unplaced;
    }

    /** Times that a record was not taken, and stayed in the table. */
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
