package io.chimera.apps.node.archive;

import io.chimera.apps.archive.Volume;
import io.chimera.apps.forensics.Finding;
import io.chimera.apps.forensics.InsideNets;
import io.chimera.apps.forensics.Investigation;
import io.chimera.apps.forensics.Investigation.Verdict;
import io.chimera.apps.forensics.Witness;
import io.chimera.apps.node.Json;
import io.chimera.apps.node.load.DurationConverter;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.agrona.CloseHelper;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Who is behind a host that sends spam. */
@Command(
        name = "forensics",
        description = {
            "Finds out of the archives of several monitors who is behind a host that sends spam: through its bot and the host"
                    + " inside that it was taken over from back to the attacker.",
            "Seven questions, each built on the answers before it; docs/archive.md explains them. chimera gen attack makes"
                    + " captures to try it on."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:found", "1:the trail ends, or an archive cannot be read", "2:wrong usage"})
public final class ForensicsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "ADDRESS", description = "The host that sends spam.")
    private String bot;

    @Option(
            names = "--in",
            required = true,
            paramLabel = "DEVICE[,DEVICE…]",
            description = "The volume of a monitor. Once for each monitor.")
    private List<String> volumes;

    @Option(
            names = "--inside",
            paramLabel = "NET",
            split = ",",
            description = "What is inside. Default: the private addresses.")
    private List<String> insideNets = new ArrayList<>();

    @Option(
            names = "--window",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description = "How far around a moment is looked. Default: ${DEFAULT-VALUE}.")
    private Duration window;

    @Option(names = "--before", paramLabel = "TIME", description = "Nothing later is looked at. Default: now.")
    private String before;

    @Option(names = "--json", description = "Prints one JSON object.")
    private boolean json;

    /** For picocli. */
    public ForensicsCommand() {}

    @Override
    public Integer call() {
        Clock clock = new SystemClock();
        long nowNs = clock.epochNs();
        long untilNs = before == null
                ? nowNs
                : Question.parse("before " + before, nowNs).beforeNs();
        List<Witness> witnesses = new ArrayList<>();
        try {
            InsideNets inside = new InsideNets(insideNets.isEmpty() ? InsideNets.DEFAULT : insideNets);
            for (String volume : volumes) {
                witnesses.add(new Witness(volume, VolumeOption.open(List.of(volume.split(",", -1)), clock)));
            }
            print(new Investigation(witnesses, inside, window, clock).run(bot, untilNs));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        } finally {
            CloseHelper.closeAll(witnesses.stream().map(Witness::volume).toArray(Volume[]::new));
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
            report.put("seconds", seconds(verdict));
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
                    "%s took %s over, from there %s, and %s commands it. Found in %.2f s.%n",
                    verdict.attacker(),
                    verdict.foothold(),
                    bot,
                    verdict.master(),
                    seconds(verdict));
        }
        out.flush();
    }

    private static double seconds(Verdict verdict) {
        return verdict.findings().stream().mapToDouble(Finding::seconds).sum();
    }
}
