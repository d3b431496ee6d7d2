package io.chimera.node.watch;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.option.DurationConverter;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
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
        description =
                "Drain a queue node or processor: finish open work, leave, stop.%n" + "The node can be started again.",
        mixinStandardHelpOptions = true)
final class ClusterDrainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NODE", description = "Id of the node, as shown by cluster status.")
    private String node;

    @Mixin
    private HttpOption http = new HttpOption();

    @Option(
            names = "--role",
            paramLabel = "ROLE",
            description = "${COMPLETION-CANDIDATES}, if nodes of both roles have the id.")
    private MemberRole role;

    @Option(names = "--no-wait", description = "Return at once; the drain continues.")
    private boolean noWait;

    @Option(
            names = "--within",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "Maximum wait for the drain. Default: ${DEFAULT-VALUE}.")
    private Duration within;

    @Override
    public Integer call() throws InterruptedException {
        NodeClient client = http.client();
        PrintWriter out = spec.commandLine().getOut();
        LeavingMember member = LeavingMember.find(client, http.address(), node, Optional.ofNullable(role))
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "There is no live queue node or processor " + node
                                + "; chimera cluster status lists them. Coordinators need no drain: stop a coordinator"
                                + " with SIGTERM."));
        out.println(member.tell("drain", "The cluster then reassigns its open work."));
        out.flush();
        if (!noWait) {
            member.awaitGone(within, out);
        }
        return 0;
    }
}
