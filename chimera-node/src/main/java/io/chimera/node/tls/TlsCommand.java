package io.chimera.node.tls;

import io.chimera.common.identity.NodeIdentity;
import io.chimera.node.option.DurationConverter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Parent of the certificate commands. */
@Command(
        name = "tls",
        description = "Create, issue and revoke certificates for the nodes of a cluster.",
        mixinStandardHelpOptions = true,
        subcommands = {TlsCommand.Init.class, TlsCommand.Issue.class, TlsCommand.Revoke.class})
public final class TlsCommand implements Runnable {
    private static final String FOLDER_HELP = "Folder of the authority. Default: ${DEFAULT-VALUE}.";

    @Spec
    private CommandSpec spec;

    /** Creates the command for picocli. */
    public TlsCommand() {}

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "Missing command. See chimera tls --help.");
    }

    private static void print(CommandSpec spec, String what, List<Path> files) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(what);
        files.forEach(file -> out.println("  " + file));
        out.flush();
    }

    /** Creates an authority. */
    @Command(
            name = "init",
            description = "Create a certificate authority and a secret for the cluster's znodes.",
            mixinStandardHelpOptions = true)
    static final class Init implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--dir", defaultValue = "ca", paramLabel = "FOLDER", description = FOLDER_HELP)
        private Path folder;

        @Option(
                names = "--cluster",
                defaultValue = "chimera",
                description = "Name of the cluster. Default: ${DEFAULT-VALUE}.")
        private String cluster;

        @Override
        public Integer call() {
            List<Path> files = new Authority(folder, Instant.now()).init(cluster);
            print(
                    spec,
                    "Created an authority. Keep ca.key off the nodes; copy ca.pem, crl.pem and cluster.secret to each"
                            + " node:",
                    files);
            return 0;
        }
    }

    /** Issues a certificate. */
    @Command(
            name = "issue",
            description = "Issue a certificate for a node or an operator; replaces an earlier one.",
            mixinStandardHelpOptions = true)
    static final class Issue implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(
                index = "0",
                paramLabel = "ROLE",
                description = "queue, processor, coordinator, archive, operator;"
                        + " queue_coordinator or all for a process with several nodes.")
        private String role;

        @Parameters(index = "1", paramLabel = "ID", description = "Id of the node: node.id of its configuration.")
        private String id;

        @Option(
                names = "--san",
                split = ",",
                paramLabel = "NAME",
                description = "Host name or address of the node for clients, e.g. localhost too. Repeatable.")
        private List<String> names = new ArrayList<>();

        @Option(names = "--dir", defaultValue = "ca", paramLabel = "FOLDER", description = FOLDER_HELP)
        private Path folder;

        @Option(
                names = "--cluster",
                defaultValue = "chimera",
                description = "Name of the cluster. Default: ${DEFAULT-VALUE}.")
        private String cluster;

        @Option(
                names = "--for",
                paramLabel = "TIME",
                defaultValue = "90d",
                converter = DurationConverter.class,
                description = "Validity of the certificate. Default: ${DEFAULT-VALUE}.")
        private Duration life;

        @Override
        public Integer call() {
            List<NodeIdentity> identities = identities();
            List<Path> files = new Authority(folder, Instant.now()).issue(identities, names, life);
            print(
                    spec,
                    "Issued a certificate for " + identities + ", not valid after "
                            + Authority.certificate(files.get(0)).getNotAfter().toInstant() + ":",
                    files);
            return 0;
        }

        /** Returns one identity per role. In a process with several nodes, the role is appended to each id. */
        private List<NodeIdentity> identities() {
            List<String> roles =
                    switch (role) {
                        case "all" -> List.of(NodeIdentity.COORDINATOR, NodeIdentity.QUEUE, NodeIdentity.PROCESSOR);
                        case "queue_coordinator" -> List.of(NodeIdentity.COORDINATOR, NodeIdentity.QUEUE);
                        default -> List.of(role);
                    };
            if (!Authority.ROLES.containsAll(roles)) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "'" + role + "' is no role; expected queue, processor, coordinator, archive, operator,"
                                + " queue_coordinator or all.");
            }
            try {
                return roles.stream()
                        .map(each -> new NodeIdentity(cluster, each, roles.size() == 1 ? id : id + "-" + each))
                        .toList();
            } catch (IllegalArgumentException e) {
                throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }
    }

    /** Revokes a certificate. */
    @Command(
            name = "revoke",
            description = "Add a certificate to the revocation list; copy the list to every node.",
            mixinStandardHelpOptions = true)
    static final class Revoke implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(index = "0", paramLabel = "FILE", description = "Certificate to revoke, e.g. ca/queue-q1.pem.")
        private Path certificate;

        @Option(names = "--dir", defaultValue = "ca", paramLabel = "FOLDER", description = FOLDER_HELP)
        private Path folder;

        @Override
        public Integer call() {
            Path list = new Authority(folder, Instant.now()).revoke(certificate);
            print(
                    spec,
                    "Revoked the certificate. Nodes refuse new connections once they have read the list:",
                    List.of(list));
            return 0;
        }
    }
}
