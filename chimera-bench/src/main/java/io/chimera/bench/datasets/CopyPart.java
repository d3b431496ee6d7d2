package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.datasets.process.DeadlineProcess;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.datasets.process.JobTime;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Time of a job with the strategy copy and a computation of almost no time, divided by the time of a tool that copies
 * the same objects over the same path: one object, and four at a time. The time of a job has the start of its JVM.
 */
final class CopyPart {
    private static final String JOB = "copy";
    private static final int SPLITS = 16;

    private final DatasetsSite site;
    private final NetworkSetting path;

    private CopyPart(DatasetsSite site, NetworkSetting path) {
        this.site = site;
        this.path = path;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        for (CopyTool tool : CopyTool.values()) {
            for (NetworkSetting path : site.effort().copyPaths()) {
                try {
                    new CopyPart(site, path).compare(tool);
                } catch (IOException e) {
                    site.results().fail("copy_to_" + tool.label() + "_" + path.label(), e);
                }
            }
        }
    }

    private void compare(CopyTool tool) throws IOException, InterruptedException {
        for (int count : List.of(1, 4)) {
            try (DataFolder.DataSet set =
                    site.data().events("copy", path.bytes(site.effort().settingSeconds()), count)) {
                tool.behind(site, path, (url, command) -> rounds(tool, url, set, command));
            }
        }
    }

    private void rounds(CopyTool tool, String url, DataFolder.DataSet set, CopyTool.CopyCommand command)
            throws IOException, InterruptedException {
        int count = set.objects().size();
        String suffix = "_" + count + "_" + path.label();
        Order order = new Order(new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS), url, 0);
        List<Double> jobs = new ArrayList<>();
        AlternatingRounds rounds = new AlternatingRounds();
        rounds.add(JOB, () -> {
            JobTime time = site.run(tool.label() + suffix, order, StrategyWish.COPY);
            jobs.add(time.jobSeconds());
            return time.processSeconds();
        });
        rounds.add(tool.label(), () -> copied(site, tool, set.objects(), command));
        Map<String, List<Double>> seconds = rounds.run(site.effort().settingRounds());
        String beside = "copy_beside_" + tool.label() + suffix;
        site.results().figure(beside + "_s", seconds.get(JOB));
        site.results().figure(beside + "_job_s", jobs);
        site.results().figure(tool.label() + suffix + "_s", seconds.get(tool.label()));
        site.results().ratio("copy_to_" + tool.label() + suffix, seconds.get(JOB), seconds.get(tool.label()));
    }

    /** Returns the seconds of a copy by a tool. */
    static double copied(DatasetsSite site, CopyTool tool, List<String> objects, CopyTool.CopyCommand command)
            throws IOException, InterruptedException {
        Path target = BenchFolder.emptied(site.bench().folder().resolve("copied"));
        Path log = site.bench().folder().resolve(tool.label() + ".log");
        try (DeadlineProcess process = DeadlineProcess.start(command.of(objects, target), target, log)) {
            double seconds = process.succeed(DeadlineProcess.LIMIT);
            site.log(tool.label(), seconds);
            return seconds;
        }
    }
}
