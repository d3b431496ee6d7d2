package io.chimera.node.archive;

import io.chimera.apps.forensics.Finding;
import io.chimera.apps.forensics.InsideNets;
import io.chimera.apps.forensics.Investigation;
import io.chimera.apps.forensics.Investigation.Verdict;
import io.chimera.apps.forensics.VolumeWitness;
import io.chimera.apps.forensics.Witness;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.node.Json;
import io.chimera.node.archive.client.RecorderWitness;
import io.chimera.node.option.DurationConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.agrona.CloseHelper;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Traces spam traffic of a host back to its attacker. */
@Command(
        name = "forensics",
        description = {
            "Trace spam of a host back to its attacker in the archives of several monitors.",
            "Runs seven queries, each based on the previous answers; see docs/archive.md. chimera gen attack writes"
                    + " captures for a trial."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:attacker found", "1:the trail ends, or an archive is unreadable", "2:wrong usage"})
public final class ForensicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "Host with the spam traffic.")
    private String bot;

    @ArgGroup(exclusive = false, multiplicity = "1")
    private Of of;

    /** Archives to query. */
    private static final class Of {
        @Option(
                names = "--in",
                paramLabel = "DEVICE[,DEVICE…]",
                description = "Volume of a monitor without a writer. Once per monitor.")
        private List<String> volumes = new ArrayList<>();

        @Option(names = "--http", paramLabel = "HOST:PORT", description = "Recorder of a monitor. Once per monitor.")
        private List<String> recorders = new ArrayList<>();
    }

    @Option(
            names = "--inside",
            paramLabel = "NET",
            split = ",",
            description = "Inside network. Default: the private addresses.")
    private List<String> insideNets = new ArrayList<>();

    @Option(
            names = "--window",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "Search window around a moment. Default: ${DEFAULT-VALUE}.")
    private Duration window;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "1m",
            converter = SilenceConverter.class,
            description = "Timeout for a silent recorder. Default: ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--before", paramLabel = "TIME", description = "Only packets before this time. Default: now.")
    private String before;

    @Option(
            names = "--times",
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of repetitions, each with output; the first run includes connection setup and JIT"
                    + " compilation. Default: ${DEFAULT-VALUE}.")
    private int times;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    /** Creates the command for picocli. */
    public ForensicsCommand() {}

    @Override
    public Integer call() {
        if (times < 1) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--times is " + times + "; expected at least 1.");
        }
        Clock clock = new SystemClock();
        long nowNs = clock.epochNs();
        long untilNs = before == null
                ? nowNs
                : Question.parse("before " + before, nowNs).beforeNs();
        List<Witness> witnesses = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            InsideNets inside = new InsideNets(insideNets.isEmpty() ? InsideNets.DEFAULT : insideNets);
            for (String volume : of.volumes) {
                witnesses.add(new VolumeWitness(volume, VolumeOption.open(List.of(volume.split(",", -1)), clock)));
            }
            of.recorders.forEach(recorder -> witnesses.add(new RecorderWitness(Endpoint.parse(recorder), timeout)));
            for (int i = 0; i < times; i++) {
                print(new Investigation(witnesses, threads, inside, window, clock).run(bot, untilNs));
            }
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            threads.shutdown();
            CloseHelper.closeAll(witnesses);
        }
        return 0;
    }

    private void print(Verdict verdict) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("attacker", verdict.attacker());
            report.put("foothold", verdict.foothold());
            report.put("bot", bot);
            report.put("master", verdict.master());
            report.put("spam_ns", verdict.spamNs());
            report.put("contact_ns", verdict.contactNs());
            report.put("intrusion_ns", verdict.intrusionNs());
            report.put("seconds", verdict.seconds());
            report.put("findings", verdict.findings());
            out.println(Json.line(report));
        } else {
            for (Finding finding : verdict.findings()) {
                out.printf(Locale.ROOT, "%d. %s%n   %s%n", finding.step(), finding.question(), finding.filter());
                out.printf(
                        Locale.ROOT,
                        "   %s  (%.0f ms; %d packets; intervals read %d, skipped %d)%n",
                        finding.answer(),
                        finding.seconds() * 1e3,
                        finding.packets(),
                        finding.intervalsRead(),
                        finding.intervalsSkipped());
            }
            out.printf(
                    Locale.ROOT,
                    "%s took over %s, from there %s; commanded by %s. Found in %.2f s.%n",
                    verdict.attacker(),
                    verdict.foothold(),
                    bot,
                    verdict.master(),
                    verdict.seconds());
        }
        out.flush();
    }
}
