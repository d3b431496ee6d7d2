package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.datasets.path.DelayProxy;
import io.chimera.bench.datasets.process.DeadlineProcess;
import io.chimera.bench.datasets.process.FarServer;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.datasets.process.JobTime;
import io.chimera.bench.report.ProgramRun;
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

    /** Tools, each with its server. */
    private enum CopyTool {
        CURL("curl") {
            @Override
            List<String> command(String program, String url, List<String> objects, Path target) {
                List<String> command = new ArrayList<>(
                        List.of(program, "-sS", "--fail", "--parallel", "--parallel-max", "" + objects.size()));
                for (String object : objects) {
                    command.addAll(List.of("-o", target.resolve(object).toString(), url + "/" + object));
                }
                return command;
            }
        },
        XRDCP("xrdcp") {
            @Override
            List<String> command(String program, String url, List<String> objects, Path target) {
                List<String> command = new ArrayList<>(List.of(program, "-s", "-f", "--parallel", "" + objects.size()));
                objects.forEach(object -> command.add(url + "/" + object));
                command.add(target.toString());
                return command;
            }
        };

        private final String program;

        CopyTool(String program) {
            this.program = program;
        }

        abstract List<String> command(String program, String url, List<String> objects, Path target);
    }

    private CopyPart(DatasetsSite site, NetworkSetting path) {
        this.site = site;
        this.path = path;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        site.results().leaveOut("copy_to_scp", "scp needs an SSH server; this command starts none");
        for (CopyTool tool : CopyTool.values()) {
            for (NetworkSetting path : site.effort().copyPaths()) {
                try {
                    new CopyPart(site, path).compare(tool);
                } catch (IOException e) {
                    site.results().fail("copy_to_" + tool.program + "_" + path.label(), e);
                }
            }
        }
    }

    private void compare(CopyTool tool) throws IOException, InterruptedException {
        String program = ProgramRun.require(tool.program);
        for (int count : List.of(1, 4)) {
            DataFolder.DataSet set =
                    site.data().events("copy", path.bytes(site.effort().settingSeconds()), count);
            if (tool == CopyTool.XRDCP) {
                try (FarServer server = FarServer.xrootd(
                                site.data().root(), site.bench().folder().resolve("xrootd"));
                        DelayProxy proxy = DelayProxy.start(path.model(), server.port())) {
                    rounds(tool, program, "root://127.0.0.1:" + proxy.port() + "//" + DataFolder.SET, set);
                }
            } else {
                site.behind(path, url -> rounds(tool, program, url, set));
            }
            site.data().delete(set);
        }
    }

    private void rounds(CopyTool tool, String program, String url, DataFolder.DataSet set)
            throws IOException, InterruptedException {
        int count = set.objects().size();
        String suffix = "_" + count + "_" + path.label();
        Order order = new Order(new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS), url, 0);
        List<Double> jobs = new ArrayList<>();
        AlternatingRounds rounds = new AlternatingRounds();
        rounds.add(JOB, () -> {
            JobTime time = site.run(tool.program + suffix, order, StrategyWish.COPY);
            jobs.add(time.jobSeconds());
            return time.processSeconds();
        });
        rounds.add(tool.program, () -> copied(tool, program, url, set.objects()));
        Map<String, List<Double>> seconds = rounds.run(site.effort().settingRounds());
        String beside = "copy_beside_" + tool.program + suffix;
        site.results().figure(beside + "_s", seconds.get(JOB));
        site.results().figure(beside + "_job_s", jobs);
        site.results().figure(tool.program + suffix + "_s", seconds.get(tool.program));
        site.results().ratio("copy_to_" + tool.program + suffix, seconds.get(JOB), seconds.get(tool.program));
    }

    private double copied(CopyTool tool, String program, String url, List<String> objects)
            throws IOException, InterruptedException {
        Path target = BenchFolder.emptied(site.bench().folder().resolve("copied"));
        Path log = site.bench().folder().resolve(tool.program + ".log");
        try (DeadlineProcess process =
                DeadlineProcess.start(tool.command(program, url, objects, target), target, log)) {
            double seconds = process.succeed(DeadlineProcess.LIMIT);
            site.log(tool.program, seconds);
            return seconds;
        }
    }
}
