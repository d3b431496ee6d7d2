package io.chimera.flow.capture;

import io.chimera.flow.packet.PacketTuple;
import io.chimera.flow.table.FlowCounts;
import io.chimera.flow.table.FlowId;
import io.chimera.flow.table.FlowSink;
import io.chimera.flow.table.FlowTable;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.PacketCapture;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Converts packets to flows on the caller's thread, with all operators in sequence; for tools. */
public final class FlowMeter {
    private final UnsafeBuffer tuples =
            new UnsafeBuffer(ByteBuffer.allocateDirect(PacketSource.packetsMax() * PacketTuple.LENGTH));
    private final PacketSource source;
    private final FlowId flowId;
    private final FlowTable table;

    /**
     * Creates a meter with an empty table.
     *
     * @param capture source of packets; not closed by this meter
     * @param keys parts of the flow key
     * @param settings settings of the table
     * @param sink receives ended records
     */
    public FlowMeter(PacketCapture capture, FlowKeys keys, FlowTableSettings settings, FlowSink sink) {
        source = new PacketSource(capture, keys.isInside());
        flowId = new FlowId(keys.seed(), keys.isByVlan());
        table = new FlowTable(settings, sink);
    }

    /**
     * Receives and counts some packets.
     *
     * @param timeoutMs maximum wait for the first packet
     * @return number of packets; 0 after the timeout; {@link PacketCapture#END} at the end of a file
     */
    public int poll(int timeoutMs) {
        int count = source.receive(tuples.addressOffset(), timeoutMs);
        if (count > 0) {
            flowId.annotate(tuples.addressOffset(), count);
            table.accept(tuples.addressOffset(), count);
        }
        return count;
    }

    /** Emits all flows. */
    public void flush() {
        table.flush();
    }

    /** Returns the table's statistics. */
    public FlowCounts counts() {
        return table.counts();
    }
}
