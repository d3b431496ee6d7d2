package io.chimera.queue.capture;

import io.chimera.common.packet.PacketTuple;
import io.chimera.jni.capture.PacketCapture;
import io.chimera.queue.flow.FlowCounts;
import io.chimera.queue.flow.FlowId;
import io.chimera.queue.flow.FlowSink;
import io.chimera.queue.flow.FlowTable;
import io.chimera.queue.flow.FlowTableSettings;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Packets to flows with nothing around: the operators one after the other on the caller's thread, for tools. */
public final class FlowMeter {
    private final UnsafeBuffer tuples =
            new UnsafeBuffer(ByteBuffer.allocateDirect(PacketSource.packetsMax() * PacketTuple.LENGTH));
    private final PacketSource source;
    private final FlowId flowId;
    private final FlowTable table;

    /**
     * A meter that has seen nothing.
     *
     * @param capture where packets come from; not closed by this
     * @param keys what tells flows apart
     * @param settings of the table
     * @param sink takes records that ended
     */
    public FlowMeter(PacketCapture capture, FlowKeys keys, FlowTableSettings settings, FlowSink sink) {
        source = new PacketSource(capture, keys.isInside());
        flowId = new FlowId(keys.seed(), keys.isByVlan());
        table = new FlowTable(settings, sink);
    }

    /**
     * Takes some packets.
     *
     * @param timeoutMs how long to wait for the first
     * @return number of packets; 0 when none came in time; {@link PacketCapture#END} when a file has no more
     */
    public int poll(int timeoutMs) {
        int count = source.receive(tuples.addressOffset(), timeoutMs);
        if (count > 0) {
            flowId.annotate(tuples.addressOffset(), count);
            table.accept(tuples.addressOffset(), count);
        }
        return count;
    }

    /** Hands out all flows. */
    public void flush() {
        table.flush();
    }

    /** What was counted. */
    public FlowCounts counts() {
        return table.counts();
    }
}
