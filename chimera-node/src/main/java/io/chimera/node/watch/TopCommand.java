package io.chimera.node.watch;

import io.chimera.common.error.ChimeraException;
import io.chimera.node.Json;
import io.chimera.node.option.DurationConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints the live table of a cluster. */
@Command(
        name = "top",
        description = "Show live figures of a cluster, one line per interval.",
        mixinStandardHelpOptions = true)
public final class TopCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private HttpOption http = new HttpOption();

    @Option(names = "--once", description = "Print one line only.")
    private boolean once;

    @Option(names = "--json", description = "Print one JSON object per interval.")
    private boolean json;

    @Option(
            names = "--keys",
            defaultValue = "3",
            description = "Number of heaviest keys below each line: groups with the most values in the newest cycle,"
                    + " with their share of its points. Default: ${DEFAULT-VALUE}.")
    private int keys;

    @Option(
            names = "--every",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "Interval between two lines. Default: ${DEFAULT-VALUE}.")
    private Duration every;

    /** Creates the command for picocli. */
    public TopCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        LiveTable table = new LiveTable(out);
        NodeClient client = http.client();
        String coordinator = http.address();
        boolean first = true;
        while (true) {
            try {
                ClusterSnapshot now = ClusterSnapshot.take(client, coordinator);
                List<ProcessorLook> processors = ProcessorLook.takeAll(client, coordinator);
                Rebuilds rebuilds = new Rebuilds(processors);
                HeaviestKeys heaviest = new HeaviestKeys(processors);
                RefusedSeries series = RefusedSeries.take(client, coordinator);
                if (json) {
                    Map<String, Object> figures = now.figures();
                    figures.put("rebuilding", rebuilds.figures());
                    figures.put("heaviest", heaviest.figures(keys));
                    figures.put("refused_series", series.figures());
                    out.println(Json.line(figures));
                } else {
                    table.print(now, System.nanoTime());
                    rebuilds.lines().forEach(out::println);
                    heaviest.lines(keys).forEach(out::println);
                    series.lines().forEach(out::println);
                }
                out.flush();
            } catch (ChimeraException e) {
                if (once || first) {
                    throw e;
                }
                spec.commandLine().getErr().println(e.getMessage());
            }
            if (once) {
                return 0;
            }
            first = false;
            Thread.sleep(every.toMillis());
        }
    }
}
