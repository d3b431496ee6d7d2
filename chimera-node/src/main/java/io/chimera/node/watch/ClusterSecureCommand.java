package io.chimera.node.watch;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.coordinator.zookeeper.SecuredTree;
import io.chimera.node.cluster.ClusterLink;
import io.chimera.node.option.ConfigOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Restricts the znodes of an existing cluster to nodes with its secret. */
@Command(
        name = "secure",
        description = "Restrict the cluster's znodes to nodes with coordinator.secret.%n"
                + "Refused while a member runs without the secret. Idempotent.",
        mixinStandardHelpOptions = true)
final class ClusterSecureCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--apply", description = "Change the znodes. Default: only show the changes.")
    private boolean isApplied;

    @Override
    public Integer call() throws InterruptedException {
        ChimeraConfig config = options.load(List.of());
        PrintWriter out = spec.commandLine().getOut();
        try (ClusterLink link = ClusterLink.open(config.coordinator(), "secure")) {
            SecuredTree tree = link.session().secure(!isApplied);
            out.printf(
                    "%d of %d znodes of cluster %s %s.%n",
                    tree.changed(),
                    tree.znodes(),
                    config.coordinator().cluster(),
                    tree.isDryRun() ? "are open; --apply secures them" : "were open and are secured");
            out.flush();
        }
        return 0;
    }
}
