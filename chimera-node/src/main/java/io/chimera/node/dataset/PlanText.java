package io.chimera.node.dataset;

import io.chimera.dataset.plan.Addition;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.ConnectionRate;
import io.chimera.dataset.plan.JobStage;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.plan.Prediction;
import io.chimera.dataset.plan.Quantities;
import io.chimera.dataset.plan.Reason;
import io.chimera.dataset.plan.SourceSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** An advice as lines for people, and as figures for JSON. */
final class PlanText {
    private final String job;
    private final Advice advice;

    PlanText(String job, Advice advice) {
        this.job = job;
        this.advice = advice;
    }

    /** Returns the lines: what was measured, a row for each strategy, and the choice with its reasons. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("Job " + job + ": " + Quantities.bytes(advice.input().extent().bytes()) + " in splits of "
                + Quantities.bytes(advice.input().extent().splitBytes()) + ".");
        advice.input().measurements().sources().forEach(source -> lines.add(source(source)));
        lines.add(computation(advice.input().measurements()));
        lines.add("");
        lines.add(row(
                "strategy", "time", "cost", "bottleneck", "saved by one more: source", "worker", "core", "data node"));
        advice.predictions().forEach(prediction -> lines.add(row(prediction)));
        lines.add("");
        lines.addAll(advice.lines());
        if (advice.input().limits().maxSeconds().isPresent()
                || advice.input().limits().maxCost().isPresent()) {
            lines.add(advice.keepsLimits() ? "The job keeps its limits." : "The job does not keep its limits.");
        }
        return lines;
    }

    private static String source(SourceSample source) {
        String rates = source.rates().stream()
                .map(rate -> rate.connections() + ": " + Quantities.rate(rate.bytesPerSecond()))
                .collect(Collectors.joining(", "));
        String busy = source.busyBytesPerSecond().isPresent()
                ? "; while all cores compute "
                        + Quantities.rate(source.busyBytesPerSecond().getAsDouble())
                : "";
        return "Source " + source.place() + ": round trip "
                + Quantities.duration(source.roundTrip().toNanos() / 1e9) + "; rate by connections " + rates + busy
                + ".";
    }

    private static String computation(Measurements measured) {
        return String.format(
                Locale.ROOT,
                "Computation: %.0f events/s and core, %.0f bytes per event, %d cores. Storage: writes %s, reads %s.",
                measured.computation().eventsPerCoreSecond(),
                measured.computation().bytesPerEvent(),
                measured.nodes().coresPerNode(),
                rate(measured.storage().writeBytesPerSecond()),
                rate(measured.storage().readBytesPerSecond()));
    }

    private static String rate(OptionalDouble bytesPerSecond) {
        return bytesPerSecond.isPresent() ? Quantities.rate(bytesPerSecond.getAsDouble()) : "not measured";
    }

    private String row(Prediction prediction) {
        return row(
                prediction.strategy().label(),
                Quantities.duration(prediction.seconds()),
                Quantities.money(prediction.cost(), advice.input().prices().currency()),
                prediction.bottleneck().label(),
                saved(prediction, Addition.SOURCE),
                saved(prediction, Addition.WORKER),
                saved(prediction, Addition.CORE),
                saved(prediction, Addition.DATA_NODE));
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%-9s %-10s %-12s %-14s %-26s %-10s %-10s %s", cells)
                .stripTrailing();
    }

    private static String saved(Prediction prediction, Addition addition) {
        return Quantities.duration(prediction.saved(addition));
    }

    /** Returns the figures by name; durations in seconds, rates in bytes per second. */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("job", job);
        figures.put("bytes", advice.input().extent().bytes());
        figures.put("split_bytes", advice.input().extent().splitBytes());
        figures.put("currency", advice.input().prices().currency());
        figures.put("choice", advice.choice().label());
        figures.put("keeps_limits", advice.keepsLimits());
        figures.put("measured", measured(advice.input().measurements()));
        figures.put(
                "strategies",
                advice.predictions().stream().map(PlanText::strategy).toList());
        figures.put("reasons", advice.reasons().stream().map(PlanText::reason).toList());
        return figures;
    }

    private static Map<String, Object> measured(Measurements measured) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put(
                "sources", measured.sources().stream().map(PlanText::figures).toList());
        figures.put("events_per_core_second", measured.computation().eventsPerCoreSecond());
        figures.put("bytes_per_event", measured.computation().bytesPerEvent());
        figures.put("cores", measured.nodes().coresPerNode());
        present(figures, "write_bytes_per_second", measured.storage().writeBytesPerSecond());
        present(figures, "read_bytes_per_second", measured.storage().readBytesPerSecond());
        present(figures, "receiving_bytes_per_core_second", measured.receivingBytesPerCoreSecond());
        return figures;
    }

    private static Map<String, Object> figures(SourceSample source) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("source", source.place());
        figures.put("round_trip_seconds", source.roundTrip().toNanos() / 1e9);
        figures.put(
                "bytes_per_second_by_connections",
                source.rates().stream()
                        .collect(Collectors.toMap(
                                ConnectionRate::connections,
                                ConnectionRate::bytesPerSecond,
                                (one, other) -> other,
                                LinkedHashMap::new)));
        present(figures, "busy_bytes_per_second", source.busyBytesPerSecond());
        return figures;
    }

    private static void present(Map<String, Object> figures, String name, OptionalDouble value) {
        value.ifPresent(amount -> figures.put(name, amount));
    }

    private static Map<String, Object> strategy(Prediction prediction) {
        Map<String, Object> stages = new LinkedHashMap<>();
        for (JobStage stage : JobStage.values()) {
            stages.put(stage.label(), prediction.stage(stage));
        }
        Map<String, Object> saved = new LinkedHashMap<>();
        for (Addition addition : Addition.values()) {
            saved.put(addition.label(), prediction.saved(addition));
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("strategy", prediction.strategy().label());
        figures.put("seconds", prediction.seconds());
        figures.put("cost", prediction.cost());
        figures.put("bottleneck", prediction.bottleneck().label());
        figures.put("seconds_without_bottleneck", prediction.seconds() - prediction.bottleneckSeconds());
        figures.put("stage_seconds", stages);
        figures.put("seconds_saved_by_one_more", saved);
        return figures;
    }

    private static Map<String, Object> reason(Reason reason) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("code", reason.code().name());
        figures.put("line", reason.line());
        figures.put("figures", reason.figures());
        return figures;
    }
}
