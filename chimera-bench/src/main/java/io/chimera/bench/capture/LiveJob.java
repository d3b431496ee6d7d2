package io.chimera.bench.capture;

import io.chimera.flow.capture.FlowKeys;
import io.chimera.flow.capture.FlowMeter;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import io.chimera.jni.capture.PcapWriter;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.nio.file.Path;
import java.util.function.IntUnaryOperator;
import org.agrona.UnsafeApi;

/** Jobs of a process on received packets. */
enum LiveJob {
    /** Reads the first byte of each packet. */
    COUNT,
    /** Writes packets to /dev/null in pcap format, like tcpdump. */
    DUMP,
    /** Parser and full flow table. */
    FLOWS;

    private static final int FLOWS_MAX = 262_144;

    /** Returns a function from a timeout in milliseconds to the number of received and processed packets. */
    IntUnaryOperator over(PacketCapture capture) {
        if (this == FLOWS) {
            FlowMeter meter = new FlowMeter(
                    capture, new FlowKeys(true, false, 0), FlowTableSettings.of(FLOWS_MAX), record -> true);
            return meter::poll;
        }
        PacketBatch batch = new PacketBatch(PacketBatch.DEFAULT_CAPACITY);
        if (this == DUMP) {
            PcapWriter writer = PcapWriter.create(Path.of("/dev/null"), capture.linkType(), Resolution.MICROSECONDS);
            return timeoutMs -> {
                int count = capture.receive(batch, timeoutMs);
                writer.write(batch);
                return count;
            };
        }
        return timeoutMs -> count(capture, batch, timeoutMs);
    }

    private static int count(PacketCapture capture, PacketBatch batch, int timeoutMs) {
        int count = capture.receive(batch, timeoutMs);
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += UnsafeApi.getByte(batch.address(i));
        }
        return sum == Integer.MIN_VALUE ? 0 : count; // never true; prevents the compiler from removing the reads
    }
}
