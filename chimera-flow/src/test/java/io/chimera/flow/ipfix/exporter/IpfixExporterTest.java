package io.chimera.flow.ipfix.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.collector.ByteField;
import io.chimera.flow.ipfix.collector.FlowRig;
import io.chimera.flow.ipfix.collector.PointList;
import io.chimera.flow.table.FlowOrigin;
import io.chimera.flow.table.FlowPoint;
import io.chimera.flow.table.FlowRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class IpfixExporterTest {
    private static final int MESSAGE_BYTES = 1400;

    private final ManualClock clock = new ManualClock();

    /** Clock with automatic progress, for blocking calls. */
    private final Clock ticking = new Clock() {
        @Override
        public long nanoTime() {
            clock.advanceMs(1);
            return clock.nanoTime();
        }

        @Override
        public long epochNs() {
            return clock.epochNs();
        }
    };

    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final FakeCollector collector = new FakeCollector();
    private IpfixExporter exporter = exporter("ipfix:udp://127.0.0.1:4739");

    private IpfixExporter exporter(String target) {
        return new IpfixExporter(settings(target, ExportTime.NANOSECONDS, 1), collector, counters, clock);
    }

    private static ExportSettings settings(String target, ExportTime time, int sampling) {
        ExportSettings usual = ExportSettings.of(target);
        return new ExportSettings(
                usual.transport(),
                usual.collector(),
                9,
                MESSAGE_BYTES,
                time,
                usual.templatesEvery(),
                usual.templatesEveryMessages(),
                0,
                sampling,
                1 << 16);
    }

    private void work() {
        int idle = 0;
        while (idle < 3) {
            clock.advanceMs(600);
            idle = exporter.doWork() == 0 ? idle + 1 : 0;
        }
    }

    /** Parses the exported messages with Chimera's own input. */
    private FlowRig read() {
        FlowRig rig = FlowRig.datagrams();
        collector.messages.forEach(rig::datagram);
        assertThat(rig.sink.rejects).isEmpty();
        return rig;
    }

    private static PointList.Point point(FlowRecord record) {
        PointList list = new PointList();
        FlowConfig config = Sections.of(
                FlowConfig.class,
                "tags",
                FlowRig.ALL.tags().subList(0, 3),
                "fields",
                FlowRig.ALL.fields().stream()
                        .filter(column -> !column.isOfExporter())
                        .toList());
        assertThat(new FlowPoint(config).write(record, FlowOrigin.CAPTURE, list))
                .isZero();
        return list.points.get(0);
    }

    @Test
    void whatIsExportedIsWhatIsRead() {
        Random random = new Random(5);
        List<Flows> flows = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            Flows flow = Flows.random(random);
            flows.add(flow);
            while (!exporter.onFlow(flow.record())) {
                exporter.doWork();
            }
        }
        work();

        FlowRig rig = read();
        assertThat(rig.points()).hasSize(flows.size());
        for (int i = 0; i < flows.size(); i++) {
            PointList.Point expected = point(flows.get(i).record());
            PointList.Point read = rig.points().get(i);
            assertThat(read.tags()).containsAllEntriesOf(expected.tags()).containsEntry("exporter", "192.0.2.1");
            assertThat(read.fields()).containsAllEntriesOf(expected.fields()).containsEntry("domain", 9L);
            assertThat(read.timeNs()).isEqualTo(expected.timeNs());
        }
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
        assertThat(rig.count(QueueCounter.IPFIX_SETS_UNTOLD)).isZero();
        assertThat(rig.count(QueueCounter.IPFIX_SEQUENCE_BACKWARD)).isZero();
        assertThat(collector.messages).allMatch(message -> message.length <= MESSAGE_BYTES);
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS)).isEqualTo(flows.size());
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_MESSAGES)).isEqualTo(collector.messages.size());
        assertThat(exporter.isDrained()).isTrue();
    }

    @Test
    void tellsItsTemplatesAgain() {
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        exporter.onFlow(Flows.of("::1", "::2", 17).record());
        work();
        collector.messages.clear();
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        work();
        assertThat(read().points()).isEmpty(); // a late listener has no templates yet

        collector.messages.clear();
        clock.advanceMs(60_000);
        exporter.doWork();
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        exporter.onFlow(Flows.of("::1", "::2", 17).record());
        work();
        assertThat(read().points()).hasSize(2);
    }

    @Test
    void aRecordWaitsForHalfASecondAtMost() {
        exporter.doWork();
        collector.messages.clear();
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        exporter.doWork();
        assertThat(collector.messages).isEmpty();
        assertThat(exporter.isDrained()).isFalse();

        clock.advanceMs(501);
        exporter.doWork();
        assertThat(collector.messages).hasSize(1);
        assertThat(exporter.isDrained()).isTrue();
    }

    @Test
    void aNewSessionBeginsWithTemplatesAndWithNumberZero() {
        exporter = exporter("ipfix:tcp://127.0.0.1:4739");
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        work();
        collector.room = 0;
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.3", 6).record());
        work();
        collector.messages.clear();
        collector.session = ExportChannel.NO_SESSION;
        work();
        collector.session = 2;
        collector.room = Integer.MAX_VALUE;
        exporter.onFlow(Flows.of("::1", "::2", 6).record());
        work();

        FlowRig rig = read();
        assertThat(rig.points()).extracting(point -> point.tags().get("dst")).containsExactly("10.0.0.3", "::2");
        assertThat(rig.count(QueueCounter.IPFIX_RECORDS_LOST)).isZero();
        assertThat(ByteField.u32(collector.messages.get(0), 8)).isZero();
    }

    @Test
    void refusesRecordsWhenItsQueueIsFullAndLosesNone() {
        collector.room = 0;
        int taken = 0;
        while (exporter.onFlow(
                Flows.of("10.0.0.1", "10.0.0." + (1 + taken % 250), 6).record())) {
            taken++;
            exporter.doWork();
        }
        exporter.onFlowOrDrop(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED)).isEqualTo(1);
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_PACKETS_DROPPED)).isEqualTo(2);

        collector.room = Integer.MAX_VALUE;
        work();
        assertThat(read().points()).hasSize(taken);
    }

    @Test
    void countsWhatCannotBeSentBeforeItIsClosed() {
        exporter = new IpfixExporter(ExportSettings.of("ipfix:tcp://127.0.0.1:4739"), collector, counters, ticking);
        exporter.doWork();
        collector.room = 0;
        for (int i = 0; i < 50; i++) {
            exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        }
        exporter.onClose();

        assertThat(collector.isClosed).isTrue();
        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED)).isEqualTo(50);
    }

    @Test
    void countsAllThatWaitsWhenItIsClosedThoughItsQueueHasGoneRound() {
        ExportSettings settings = settings("ipfix:tcp://127.0.0.1:4739", ExportTime.MILLISECONDS, 1);
        exporter = new IpfixExporter(settings, collector, counters, ticking);
        int handedOver = 0;
        for (int turn = 0; turn < 10; turn++) {
            collector.room = turn < 9 ? Integer.MAX_VALUE : 0;
            for (int i = 0; i < 150; i++) {
                assertThat(exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record()))
                        .isTrue();
                handedOver++;
            }
            exporter.doWork();
            exporter.doWork();
        }
        exporter.onClose();

        assertThat(counters.get(QueueCounter.IPFIX_EXPORT_RECORDS)
                        + counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED))
                .isEqualTo(handedOver);
    }

    @Test
    void sendsWhatWaitsWhenItIsClosed() {
        exporter = new IpfixExporter(ExportSettings.of("ipfix:udp://127.0.0.1:4739"), collector, counters, ticking);
        for (int i = 0; i < 50; i++) {
            exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        }
        exporter.onClose();

        assertThat(read().points()).hasSize(50);
    }

    @Test
    void tellsHowPacketsWereSampled() {
        exporter = new IpfixExporter(
                settings("ipfix:udp://127.0.0.1:4739", ExportTime.MILLISECONDS, 128), collector, counters, clock);
        exporter.onFlow(Flows.of("10.0.0.1", "10.0.0.2", 6).record());
        work();

        assertThat(read().points().get(0).number("sampling_interval")).isEqualTo(128);
    }

    @Test
    void eachKindOfFlowHasATemplateThatFitsIntoTheSmallestMessage() {
        Set<Integer> ids = new HashSet<>();
        for (ExportTemplate template : ExportTemplate.all(ExportTime.MILLISECONDS)) {
            ids.add(template.id());
            assertThat(template.definitionLength() + template.recordLength()).isLessThan(512 - 16 - 4 - 4);
        }
        assertThat(ids).hasSize(ExportTemplate.COUNT);
    }

    @Test
    void readsWhereToExportTo() {
        ExportSettings settings = ExportSettings.of("ipfix:tcp://[::1]:4739");
        assertThat(settings.transport()).isEqualTo(ExportSettings.Transport.TCP);
        assertThat(settings.collector().host()).isEqualTo("::1");
        for (String wrong : List.of("udp://a:1", "ipfix:a:1", "ipfix:udp://a", "ipfix:udp://a:0", "ipfix:sctp://a:1")) {
            assertThatThrownBy(() -> ExportSettings.of(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
