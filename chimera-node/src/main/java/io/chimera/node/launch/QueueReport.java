package io.chimera.node.launch;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.QueueGauge;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueueStatus;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.source.KernelDrops;
import io.chimera.queue.source.SeriesTracker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** Metrics, warnings and status page of a queue node. */
final class QueueReport {
    private static final String COMPONENT = "queue";

    private QueueReport() {}

    /** Registers the metrics of a lane, with the label of the lane. */
    static void register(Metrics ofNode, QueueLane lane) {
        Metrics metrics = ofNode.lane(lane.number());
        metrics.register(COMPONENT, lane.counters());
        QueueNode node = lane.node();
        ChronicleJournal journal = lane.journal();
        Map<QueueGauge, LongSupplier> gauges = new LinkedHashMap<>();
        gauges.put(QueueGauge.RING_SLOTS_USED, () -> node.status().ring().used());
        gauges.put(QueueGauge.RING_SLOTS, () -> node.status().ring().slots());
        gauges.put(QueueGauge.JOURNAL_SIZE_BYTES, () -> node.status().journal().bytes());
        gauges.put(
                QueueGauge.JOURNAL_RETAINED_BYTES, () -> node.status().journal().retainedBytes());
        gauges.put(QueueGauge.COPIES_MISSING, () -> node.status().copiesMissing());
        gauges.put(QueueGauge.SOURCE_SERIES, () -> node.series().values().stream()
                .mapToLong(SeriesTracker.Status::known)
                .sum());
        gauges.put(QueueGauge.DEAD_LETTERS_SIZE_BYTES, () -> node.deadLetters().usedBytes());
        gauges.put(QueueGauge.DEAD_LETTERS_LIMIT_BYTES, () -> node.deadLetters().bytesMax());
        gauges.put(QueueGauge.JOURNAL_DAMAGES, journal::damages);
        gauges.put(QueueGauge.JOURNAL_FILES_ARCHIVED, () -> journal.archived().kept());
        gauges.put(QueueGauge.JOURNAL_FILES_UNARCHIVED, () -> journal.archived().lost());
        gauges.put(QueueGauge.JOURNAL_ARCHIVE_WAITING_BYTES, () -> journal.archived()
                .waitingBytes());
        gauges.forEach((gauge, value) -> metrics.register(COMPONENT, gauge, value));
    }

    /** Registers the datagrams dropped by the kernel at the sockets of all lanes. */
    static void register(Metrics metrics, KernelDrops drops) {
        for (String input : drops.inputs()) {
            DoubleSupplier ofInput = () -> drops.of(input);
            metrics.register(input, QueueGauge.SOURCE_DATAGRAMS_DROPPED_KERNEL, ofInput);
        }
    }

    /** Returns the reasons why a lane is not ready, without the reasons of a drain. */
    static List<String> notReady(QueueLane lane) {
        QueueStatus status = lane.node().status();
        List<String> reasons = new ArrayList<>();
        status.notReady().ifPresent(reasons::add);
        String trouble = lane.journal().trouble();
        if (!status.journal().isJournaling() && !trouble.isEmpty()) {
            reasons.add("The journal accepts no data points: " + trouble + ".");
        }
        return reasons;
    }

    /** Returns the warnings of a lane for the operator. */
    static List<String> alarms(QueueLane lane) {
        QueueNode node = lane.node();
        List<String> alarms = new ArrayList<>();
        String archive = lane.journal().archived().trouble();
        if (!archive.isEmpty()) {
            alarms.add(archive);
        }
        node.status().alarm().ifPresent(alarms::add);
        node.deadLetters().warning().ifPresent(alarms::add);
        node.series().forEach((input, series) -> {
            if (!series.reason().isEmpty()) {
                alarms.add("The input " + input + " refuses points: " + series.reason()
                        + ". Correct the sender, or raise the limit.");
            }
        });
        alarms.addAll(node.inputWarnings());
        return alarms;
    }

    /** Returns the status page: the figures of all lanes together, then of each lane. */
    static Map<String, Object> status(List<QueueLane> lanes, Map<String, Endpoint> inputs) {
        Map<String, Object> status = new LinkedHashMap<>();
        Map<String, String> addresses = new TreeMap<>();
        inputs.forEach((input, address) -> addresses.put(input, address.toString()));
        status.put("inputs", addresses);
        List<QueueStatus> all = lanes.stream().map(lane -> lane.node().status()).toList();
        status.put("journaling", all.stream().allMatch(lane -> lane.journal().isJournaling()));
        status.put("journal_bytes", sum(all, lane -> lane.journal().bytes()));
        status.put("retained_bytes", sum(all, lane -> lane.journal().retainedBytes()));
        status.put("ring_slots_used", sum(all, lane -> lane.ring().used()));
        status.put("ring_slots", sum(all, lane -> lane.ring().slots()));
        status.put("series", series(lanes.stream().map(QueueLane::node).toList()));
        List<Map<String, Object>> shown = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            shown.add(figures(lanes.get(i), all.get(i)));
        }
        status.put("lanes", shown);
        return status;
    }

    private static long sum(List<QueueStatus> all, ToLongFunction<QueueStatus> value) {
        return all.stream().mapToLong(value).sum();
    }

    private static Map<String, Object> figures(QueueLane lane, QueueStatus now) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("lane", lane.number());
        figures.put("id", lane.identity().id());
        figures.put("journaling", now.journal().isJournaling());
        figures.put("journal_bytes", now.journal().bytes());
        figures.put("retained_bytes", now.journal().retainedBytes());
        figures.put("ring_slots_used", now.ring().used());
        figures.put("ring_slots", now.ring().slots());
        figures.put("series", series(List.of(lane.node())));
        figures.put("control", new String(ControlCodec.encode(lane.node().kept()), StandardCharsets.UTF_8));
        return figures;
    }

    private static Map<String, Object> series(List<QueueNode> nodes) {
        Map<String, SeriesTracker.Status> together = new TreeMap<>();
        nodes.forEach(node -> node.series().forEach((input, of) -> together.merge(input, of, QueueReport::and)));
        Map<String, Object> all = new TreeMap<>();
        together.forEach((input, series) -> {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("known", series.known());
            figures.put("refused", series.refused());
            figures.put("reason", series.reason());
            figures.put("tags", series.tags());
            all.put(input, figures);
        });
        return all;
    }

    /** Adds up two lanes. A series that both lanes receive counts twice. */
    private static SeriesTracker.Status and(SeriesTracker.Status one, SeriesTracker.Status other) {
        Map<String, Long> tags = new TreeMap<>(one.tags());
        other.tags().forEach((tag, values) -> tags.merge(tag, values, Math::max));
        return new SeriesTracker.Status(
                one.known() + other.known(),
                one.refused() + other.refused(),
                one.reason().isEmpty() ? other.reason() : one.reason(),
                tags);
    }
}
