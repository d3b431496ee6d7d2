package io.chimera.node.archive;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.archive.recorder.ClusterAddress;
import io.chimera.node.cluster.ClusterLink;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes a lost archive node from a cluster. */
@Command(
        name = "forget",
        description = "Remove a lost archive node from a cluster.%n"
                + "Answers no longer report it as absent. Its recorded data is not touched.",
        mixinStandardHelpOptions = true)
final class ArchiveForgetCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NODE", description = "Name of the archive node.")
    private String node;

    @Option(
            names = "--cluster",
            required = true,
            paramLabel = "SERVERS[/PATH/NAME]",
            converter = ClusterAddress.Converter.class,
            description = "Cluster address, as for chimera archive record.")
    private ClusterAddress cluster;

    @Override
    public Integer call() throws InterruptedException {
        try (ClusterLink link = ClusterLink.open(cluster.config(), "forget")) {
            if (link.view().archives().live().stream()
                    .anyMatch(member -> member.id().equals(node))) {
                throw new ChimeraException(Category.ERROR, "Archive node " + node + " is running; stop it first.");
            }
            if (!link.session().forgetArchive(node)) {
                throw new ChimeraException(
                        Category.ERROR,
                        "There is no archive node " + node + " in this cluster; query with --json lists the nodes.");
            }
            spec.commandLine().getOut().println("Archive node " + node + " was removed.");
            spec.commandLine().getOut().flush();
            return 0;
        }
    }
}
