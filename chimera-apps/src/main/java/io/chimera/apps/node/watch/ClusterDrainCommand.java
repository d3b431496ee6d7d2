package io.chimera.apps.node.watch;

import io.chimera.apps.node.load.DurationConverter;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Drains a node without a reassignment of shards. */
@Command(
        name = "drain",
        description = "Lets a queue node or processor finish what it has, leave and stop. It may be started again.",
        mixinStandardHelpOptions = true)
final class ClusterDrainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NODE", description = "Its id, as cluster status shows it.")
    private String node;

    @Mixin
    private HttpOption http = new HttpOption();

    @Option(names = "--no-wait", description = "Returns at once; the node goes on leaving.")
    private boolean noWait;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "How long to wait for it. Default: ${DEFAULT-VALUE}.")
    private Duration within;

    @Override
    public Integer call() throws InterruptedException {
        NodeClient client = http.client();
        PrintWriter out = spec.commandLine().getOut();
        LeavingMember member = LeavingMember.find(client, http.address(), node)
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "No live node is called " + node + "; chimera cluster status shows those that are."));
        out.println(member.tell("drain"));
        out.flush();
        if (!noWait) {
            member.awaitGone(within, out);
        }
        return 0;
    }
}
