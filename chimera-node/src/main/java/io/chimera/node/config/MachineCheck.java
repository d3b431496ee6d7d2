package io.chimera.node.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.config.Listening;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.check.WrongSections;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks whether this machine can run a configuration: folders can be created and written, and ports are free. The
 * check keeps no folder or file; it binds each port only for a moment.
 */
final class MachineCheck {
    private final String file;
    private final List<ConfigProblem> problems = new ArrayList<>();

    private MachineCheck(String file) {
        this.file = file;
    }

    /**
     * Checks folders and ports.
     *
     * @param file configuration file, for the messages
     * @param wrong keys with defaults in place of invalid values: ports that depend on them are not checked
     * @return all problems that would prevent a start
     */
    static List<ConfigProblem> problems(String file, ChimeraConfig config, WrongSections wrong) {
        MachineCheck check = new MachineCheck(file);
        check.folder("node.data_dir", config.node().dataDir());
        CoordinatorConfig coordinator = config.coordinator();
        Path zooKeeper = coordinator.embedded().dataDir();
        boolean runsZooKeeper = config.node().role().nodes().contains(Role.COORDINATOR) && coordinator.runsEmbedded();
        if (runsZooKeeper && !zooKeeper.toString().isEmpty()) {
            check.folder("coordinator.embedded.data_dir", zooKeeper);
        }
        Set<String> seen = new HashSet<>();
        for (Listening listening : config.listeners()) {
            if (!wrong.makeUncertain(listening) && seen.add(listening.address() + " " + listening.datagrams())) {
                check.port(listening);
            }
        }
        return check.problems;
    }

    private void folder(String key, Path folder) {
        Path nearest = folder.toAbsolutePath().normalize();
        while (nearest != null && !Files.exists(nearest, LinkOption.NOFOLLOW_LINKS)) {
            nearest = nearest.getParent();
        }
        if (nearest == null) {
            report(
                    key,
                    key + " " + folder + " cannot be created: it has no existing parent folder. Name another folder.");
        } else if (!Files.isDirectory(nearest)) {
            report(
                    key,
                    key + " " + folder + " cannot be used: " + nearest
                            + " is not a folder. Name another folder, or remove the file.");
        } else if (!Files.isWritable(nearest) || !Files.isExecutable(nearest)) {
            boolean isThere = nearest.equals(folder.toAbsolutePath().normalize());
            report(
                    key,
                    key + " " + folder + " cannot be " + (isThere ? "written" : "created") + ": the user "
                            + System.getProperty("user.name") + " may not write " + nearest
                            + ". Change the owner to the user of the node, or name another folder.");
        } else {
            probe(key, folder, nearest);
        }
    }

    /**
     * Tests by a temporary folder: some file systems, e.g. /proc and read-only mounts, refuse writes in spite of the
     * permissions.
     */
    private void probe(String key, Path folder, Path nearest) {
        try {
            Files.delete(Files.createTempDirectory(nearest, ".chimera-validate"));
        } catch (IOException e) {
            report(
                    key,
                    key + " " + folder + " cannot be used: no file can be created in " + nearest + " ("
                            + e.getClass().getSimpleName() + "). Name a folder on a writable file system.");
        }
    }

    private void port(Listening listening) {
        Endpoint endpoint = listening.address();
        if (endpoint.port() == 0) {
            return; // the operating system chooses a free port
        }
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        String what = listening.path() + " " + (listening.datagrams() ? "UDP " : "") + endpoint;
        if (address.isUnresolved()) {
            report(
                    listening.path(),
                    what + " cannot be bound: the host name cannot be resolved. Correct the host name.");
            return;
        }
        try {
            bind(address, listening.datagrams());
        } catch (BindException e) {
            String why = String.valueOf(e.getMessage());
            if (why.contains("in use")) {
                report(
                        listening.path(),
                        what
                                + " is in use by another process. Stop the process, or choose another port. If this"
                                + " node itself uses the port, check with --file-only.");
            } else if (why.contains("Permission")) {
                report(
                        listening.path(),
                        what + " cannot be bound by the user " + System.getProperty("user.name")
                                + ". Choose a port above 1023, or grant CAP_NET_BIND_SERVICE.");
            } else {
                report(
                        listening.path(),
                        what + " cannot be bound (" + why
                                + "): it is not an address of this machine. Correct the host.");
            }
        } catch (IOException e) {
            report(listening.path(), what + " cannot be bound (" + e.getMessage() + "). Choose another address.");
        }
    }

    private static void bind(InetSocketAddress address, boolean isDatagrams) throws IOException {
        if (isDatagrams) {
            try (DatagramSocket socket = new DatagramSocket(null)) {
                socket.bind(address);
            }
        } else {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true); // a recently closed connection must not block the port
                socket.bind(address);
            }
        }
    }

    private void report(String key, String message) {
        problems.add(new ConfigProblem(file, 0, key, message));
    }
}
