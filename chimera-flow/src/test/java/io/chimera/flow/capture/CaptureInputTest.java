package io.chimera.flow.capture;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.DataPoint;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.CaptureConfig;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.BlockConfig.Edge;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.flow.packet.PacketBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CaptureInputTest {
    private static final int FLOWS = 1_000;

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final BatchRing ring = new BatchRing(2, BatchLayout.LENGTH_MAX);
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final List<DataPoint> points = new ArrayList<>();

    @TempDir
    private Path folder;

    private CaptureInput input(String source, Edge edges, boolean isPooled) {
        CaptureConfig config = Sections.of(CaptureConfig.class, "source", source, "flows_max", 100);
        FlowConfig flow = Sections.of(
                FlowConfig.class,
                "tags",
                List.of(FlowColumn.PROTOCOL, FlowColumn.DST_PORT),
                "fields",
                List.of(FlowColumn.SRC, FlowColumn.PACKETS, FlowColumn.BYTES));
        return new CaptureInput(
                "packets",
                3,
                new CapturePlan(config, flow, 0, edges, isPooled),
                ring,
                new SystemClock(),
                counters,
                errors::add);
    }

    /** Builds a capture file with ten packets per flow, and as many non-IP packets. */
    private String capture() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(little(24)
                .putInt(0xA1B2C3D4)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0)
                .putInt(65536)
                .putInt(1)
                .array());
        byte[] other = PacketBuilder.ethernet(0x0806, new byte[28]);
        for (int i = 0; i < 10 * FLOWS; i++) {
            byte[] datagram = PacketBuilder.udp(5000, 10_000 + i % FLOWS, new byte[22]);
            byte[] frame = PacketBuilder.ethernet(
                    PacketBuilder.IPV4, PacketBuilder.ipv4("10.0.0.1", "10.0.0.2", 17, datagram));
            write(bytes, 1_700_000_000 + i / 1000, frame);
            write(bytes, 1_700_000_000 + i / 1000, other);
        }
        Path file = folder.resolve("x.pcap");
        Files.write(file, bytes.toByteArray());
        return file.toString();
    }

    private static void write(ByteArrayOutputStream bytes, int second, byte[] frame) {
        bytes.writeBytes(little(16)
                .putInt(second)
                .putInt(0)
                .putInt(frame.length)
                .putInt(frame.length)
                .array());
        bytes.writeBytes(frame);
    }

    private static ByteBuffer little(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private boolean take(Slot slot) {
        BodyReader body = new BodyReader();
        body.wrap(slot.buffer(), BatchLayout.HEADER_LENGTH, slot.length());
        for (int kind = body.step(); kind >= 0; kind = body.step()) {
            if (kind == BodyLayout.RECORD) {
                points.add(RecordDecoder.point(body));
            }
        }
        ((Completion) slot.attachment()).journaled();
        return true;
    }

    @ParameterizedTest
    @CsvSource({"DIRECT, true", "DIRECT, false", "QUEUED, true", "QUEUED, false"})
    void givesEveryPacketInSomePointOfItsFlow(Edge edges, boolean isPooled) throws IOException {
        try (CaptureInput input = input(capture(), edges, isPooled)) {
            input.start();
            await().until(() -> {
                ring.poll(this::take, 1);
                return input.unanswered() == 0;
            });
        }

        assertThat(errors).isEmpty();
        assertThat(counters.get(QueueCounter.CAPTURE_PACKETS)).isEqualTo(20 * FLOWS);
        assertThat(counters.get(QueueCounter.CAPTURE_NOT_IP)).isEqualTo(10 * FLOWS);
        assertThat(counters.get(QueueCounter.PARSER_POINTS_REJECTED)).isZero();
        assertThat(counters.get(QueueCounter.CAPTURE_RECORDS)).isEqualTo(points.size());
        long unplaced = counters.get(QueueCounter.CAPTURE_UNPLACED);
        assertThat(points.stream().mapToLong(CaptureInputTest::packets).sum() + unplaced)
                .isEqualTo(10 * FLOWS);
        DataPoint first = points.get(0);
        assertThat(first.key().metric()).isEqualTo("flow");
        assertThat(first.key().tags().toString()).contains("protocol", "udp", "dst_port");
        assertThat(first.fields()).containsEntry("src", "10.0.0.1").containsEntry("bytes", 50L * packets(first));
    }

    @Test
    void aDamagedFileEndsAtTheDamageAndIsNotReadAgain() throws IOException {
        Path file = Path.of(capture());
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
        try (CaptureInput input = input(file.toString(), Edge.DIRECT, true)) {
            input.start();
            await().until(() -> {
                ring.poll(this::take, 1);
                return input.unanswered() == 0;
            });
        }

        assertThat(counters.get(QueueCounter.CAPTURE_FAILURES)).isEqualTo(1);
        assertThat(counters.get(QueueCounter.CAPTURE_PACKETS)).isEqualTo(20 * FLOWS - 1);
    }

    private static long packets(DataPoint point) {
        return (Long) point.fields().get("packets");
    }

    @Test
    void saysWhatItCannotCapture() {
        assertThatThrownBy(() -> input(folder.resolve("none.pcap").toString(), Edge.DIRECT, true))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("Input packets cannot capture")
                .hasMessageContaining("none.pcap");
    }
}
