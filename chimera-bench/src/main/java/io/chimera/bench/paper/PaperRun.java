package io.chimera.bench.paper;

import io.chimera.bench.archive.disk.DiskSite;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.capture.VethPair;
import io.chimera.bench.jmh.JournalBenchmark;
import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.paper.channel.ChannelPath;
import io.chimera.bench.paper.channel.ChannelPaths;
import io.chimera.bench.paper.channel.ChannelRate;
import io.chimera.bench.paper.channel.ChannelRun;
import io.chimera.bench.paper.disk.SaturatedDisk;
import io.chimera.bench.stages.StageMeasurement;
import io.chimera.bench.stages.StageRun;
import io.chimera.common.wire.BatchLayout;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.RunnerException;

/** Measures the parts in order. One thread. */
final class PaperRun {
    /** Rate of the paper's network (Chimera 2017, V-A), in the syntax of tc. */
    private static final String NETWORK_RATE = "1gbit";

    private static final double NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    private final BenchSite site;
    private final PaperEffort effort;
    private final PaperResults results;

    PaperRun(BenchSite site, PaperEffort effort, PaperResults results) {
        this.site = site;
        this.effort = effort;
        this.results = results;
    }

    /**
     * Measures the parts; reports and skips rows for which this machine lacks permissions or tools.
     *
     * @throws RunnerException when a benchmark fails
     */
    void measure(Set<PaperPart> parts) throws RunnerException, InterruptedException {
        measureStages(parts);
        if (parts.contains(PaperPart.FIGURE_6)) {
            measureNetwork();
            measureLocal();
        }
        if (parts.contains(PaperPart.FIGURE_8)) {
            measureDisk();
        }
    }

    private void measureStages(Set<PaperPart> parts) throws RunnerException {
        StageRun run = new StageRun(effort.stages(), true);
        for (PaperStage stage : PaperCatalog.stages(Runtime.getRuntime().availableProcessors(), effort.bulks())) {
            if (parts.contains(stage.row().part())) {
                StageMeasurement seen = run.measure(List.of(stage.stage())).get(0);
                add(new PaperMeasurement(
                        stage.row(),
                        NS_PER_S / seen.nsPerPoint(),
                        seen.cpuNs() / seen.nsPerPoint(),
                        stage.bulk() == 0 ? 0 : journalBytes(stage.bulk())));
            }
        }
    }

    /** Returns the bytes of a point in a journal with bulks of a size. */
    private static double journalBytes(int bulk) {
        int points = JournalBenchmark.batchPoints(bulk);
        int length = BatchLayout.HEADER_LENGTH
                + PointRecords.of(PointShape.FOUR_FIELDS, points).length();
        return (double) length / points;
    }

    private void measureNetwork() throws InterruptedException {
        try (VethPair pair = VethPair.open()) {
            pair.address();
            pair.limit(NETWORK_RATE);
            measureChannel(ChannelPaths.veth(pair), PaperCatalog.CHANNEL_1GBIT, PaperCatalog.FOLD_1GBIT);
        } catch (IOException e) {
            results.leaveOut("figure_6 over 1 Gbit/s", e.getMessage());
        }
    }

    private void measureLocal() throws InterruptedException {
        try {
            measureChannel(ChannelPaths.loopback(), PaperCatalog.CHANNEL_LOCAL, PaperCatalog.FOLD_LOCAL);
        } catch (IOException e) {
            results.leaveOut("figure_6 over loopback", e.getMessage());
        }
    }

    private void measureChannel(ChannelPath path, String channel, String fold)
            throws IOException, InterruptedException {
        ChannelRun run = new ChannelRun(site, path, effort.channelWarmupMs(), effort.channelMs());
        add(PaperCatalog.channel(channel), run.count());
        add(PaperCatalog.fold(fold), run.fold());
    }

    private void measureDisk() throws InterruptedException {
        DiskSite disk = new DiskSite(site.home(), site.folder(), site.isQuick(), site.log());
        try {
            new SaturatedDisk(disk, effort.disk()).measure(results::add);
        } catch (IOException e) {
            results.leaveOut("figure_8", e.getMessage());
        }
    }

    private void add(PaperRow row, ChannelRate rate) {
        add(new PaperMeasurement(row, rate.pointsPerSecond(), rate.cores(), rate.pointBytes()));
    }

    private void add(PaperMeasurement measurement) {
        results.add(measurement);
        site.log()
                .accept(String.format(
                        Locale.ROOT,
                        "%s: %,.0f points/s, %.2f cores, %,.0f points/s per core",
                        measurement.row().name(),
                        measurement.pointsPerSecond(),
                        measurement.cores(),
                        measurement.perCore()));
    }
}
