package io.chimera.faults.chaos.cluster;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.faults.chaos.access.ClientAccess;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A server of the ensemble: its start command and its reported mode. */
final class ZooKeeperServer {
    static final int CLIENT_PORT = 2181;

    /** Ports for connections between the servers. */
    static final Set<Integer> SERVER_PORTS = Set.of(2888, 3888);

    private static final List<String> JVM_FLAGS =
            List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dzookeeper.jmx.log4j.disable=true");
    private static final int TIMEOUT_MS = 1_000;

    private ZooKeeperServer() {}

    /**
     * Writes the configuration of a server and returns its start command.
     *
     * @param number its own number, from 1
     * @param addresses addresses of all servers, in the order of their numbers
     * @param certificate with its key, in a single file
     * @param authority issuer of the certificates of all servers and clients
     */
    static List<String> command(
            ChimeraHome home, int number, List<String> addresses, Path folder, Path certificate, Path authority) {
        Path configuration = folder.resolve("zoo.cfg");
        StringBuilder text =
                new StringBuilder("""
                tickTime=500
                initLimit=10
                syncLimit=4
                dataDir=%s
                secureClientPort=%d
                secureClientPortAddress=%s
                serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
                authProvider.x509=org.apache.zookeeper.server.auth.X509AuthenticationProvider
                sslQuorum=true
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                autopurge.purgeInterval=1
                """.formatted(folder.resolve("data"), CLIENT_PORT, addresses.get(number - 1)));
        for (String section : List.of("ssl", "ssl.quorum")) {
            text.append("""
                    %1$s.keyStore.location=%2$s
                    %1$s.keyStore.type=PEM
                    %1$s.trustStore.location=%3$s
                    %1$s.trustStore.type=PEM
                    %1$s.clientAuth=need
                    """.formatted(section, certificate, authority));
        }
        for (int i = 0; i < addresses.size(); i++) {
            text.append("server.%d=%s:2888:3888\n".formatted(i + 1, addresses.get(i)));
        }
        try {
            Files.createDirectories(folder.resolve("data"));
            Files.writeString(configuration, text);
            Files.writeString(folder.resolve("data/myid"), number + "\n");
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.FATAL, "Cannot write ZooKeeper's folder " + folder + ": " + e.getMessage() + ".", e);
        }
        List<String> command = home.java("conf/jvm.options");
        command.addAll(JVM_FLAGS);
        // The configuration of Chimera hides ZooKeeper's warnings; here the warnings about slow disks and lost quorums
        // matter.
        command.add("-Dlogback.configurationFile=" + home.folder().resolve("conf/kairosdb/logback.xml"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("org.apache.zookeeper.server.quorum.QuorumPeerMain", configuration.toString()));
        return command;
    }

    /** Returns "leader" or "follower"; empty when the server at the address does not serve clients. */
    static String mode(String address, ClientAccess access) {
        try (Socket socket = access.context().orElseThrow().getSocketFactory().createSocket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(new InetSocketAddress(address, CLIENT_PORT), TIMEOUT_MS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }
}
