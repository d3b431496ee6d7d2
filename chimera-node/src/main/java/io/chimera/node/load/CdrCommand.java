package io.chimera.node.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.apps.voip.CallPlan;
import io.chimera.apps.voip.CallSource;
import io.chimera.node.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes call data records with known telemarketers. */
@Command(
        name = "cdr",
        description = {
            "Write call data records with known telemarketers as line protocol.",
            "The same options give the same file; send it with chimera send. Telemarketers call many users once with"
                    + " short calls and receive no calls. Call centres call as many users with long calls, and are called"
                    + " back."
        },
        mixinStandardHelpOptions = true)
public final class CdrCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--calls", defaultValue = "100000", description = "Number of calls. Default: ${DEFAULT-VALUE}.")
    private long calls;

    @Option(names = "--users", defaultValue = "50000", description = "Number of users. Default: ${DEFAULT-VALUE}.")
    private int users;

    @Option(
            names = "--telemarketers",
            defaultValue = "100",
            description = "Number of telemarketers, and of call centres. Default: ${DEFAULT-VALUE}.")
    private int telemarketers;

    @Option(names = "--rate", defaultValue = "1000", description = "Calls per second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--seed", defaultValue = "1", description = "Random seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--start",
            paramLabel = "MS",
            description = "Time of the first call, milliseconds since 1970. Default: so that the last call is now.")
    private Long startMs;

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "Output file; - is standard output.")
    private String out;

    @Option(
            names = "--truth",
            paramLabel = "FILE",
            description = "Output file for the telemarketers' numbers, one per line.")
    private Path truth;

    /** Creates the command for picocli. */
    public CdrCommand() {}

    @Override
    public Integer call() throws IOException {
        CallPlan plan = plan();
        boolean toStandardOutput = "-".equals(out);
        if (toStandardOutput) {
            Writer writer = new BufferedWriter(new OutputStreamWriter(System.out, US_ASCII));
            write(plan, writer);
            writer.flush();
        } else {
            try (Writer writer = Files.newBufferedWriter(Path.of(out), US_ASCII)) {
                write(plan, writer);
            }
        }
        if (truth != null) {
            List<String> numbers =
                    IntStream.range(0, telemarketers).mapToObj(CallPlan::number).toList();
            Files.write(truth, numbers, US_ASCII);
        }
        Map<String, Object> report = Map.of(
                "name", "gen cdr", "figures", Map.of("calls", calls, "users", users, "telemarketers", telemarketers));
        (toStandardOutput ? spec.commandLine().getErr() : spec.commandLine().getOut()).println(Json.line(report));
        return 0;
    }

    private CallPlan plan() {
        try {
            return new CallPlan(users, telemarketers, rate, seed);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void write(CallPlan plan, Writer writer) throws IOException {
        long firstMs = startMs == null ? System.currentTimeMillis() - calls * 1_000 / rate : startMs;
        CallSource source = new CallSource(plan, firstMs * 1_000_000);
        StringBuilder line = new StringBuilder();
        for (long call = 0; call < calls; call++) {
            line.setLength(0);
            source.next(line);
            writer.append(line);
        }
    }
}
