package io.chimera.coordinator.zookeeper;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.security.HandshakeFailure;
import io.chimera.common.security.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Diagnoses why a node has no connection to ZooKeeper: connects to each configured server, performs the TLS handshake
 * and sends the four-letter command {@code srvr}. ZooKeeper's client reports a lost connection whatever the cause is.
 * All servers are probed at the same time, each on a separate thread.
 */
final class ServerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProbe.class);

    /** Timeout of a connection and of each answer: a TLS handshake may include slow look-ups of names. */
    private static final int WAIT_MS = 10_000;

    /** Time limit of a whole connection, in timeouts: each of connection, handshake and answer may take one. */
    private static final int TIMEOUTS_MAX = 3;

    /** Maximum number of probed servers; an ensemble has 3 to 7 servers. */
    private static final int SERVERS_MAX = 7;

    private static final int ANSWER_MAX = 64;
    private static final int DEFAULT_PORT = 2181;
    /**
     * Command with at least 5 bytes, the size of a TLS record header: a TLS server would wait for more bytes of a
     * shorter command instead of refusing the command.
     */
    private static final byte[] COMMAND = "srvr\n".getBytes(StandardCharsets.US_ASCII);

    private final ZooKeeperSettings settings;
    private final Optional<Tls> tls;
    private final int waitMs;

    ServerProbe(ZooKeeperSettings settings) {
        this(settings, WAIT_MS);
    }

    /** Creates a probe with a timeout for a connection and for each answer. */
    ServerProbe(ZooKeeperSettings settings, int waitMs) {
        this.settings = settings;
        this.waitMs = waitMs;
        tls = settings.tls();
    }

    /** Probes all servers on separate threads, and passes on the defects. */
    void start(Consumer<String> done) {
        runOnThread(() -> complete(this::run, done));
    }

    /** Runs a probe and passes on its result, also after an error: the receiver waits for the result. */
    static void complete(Supplier<String> probe, Consumer<String> done) {
        String found = "The cause is unknown: the probe of the servers failed.";
        try {
            found = probe.get();
        } finally {
            done.accept(found);
        }
    }

    private static void runOnThread(Runnable task) {
        Thread thread = new Thread(task, "zookeeper-probe");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns the defect of each server with its remedy; empty when all servers answer. Blocks for seconds. */
    String run() {
        String[] servers = settings.connect().split(",");
        List<CompletableFuture<String>> probes = Arrays.stream(servers)
                .limit(SERVERS_MAX)
                .map(String::strip)
                .map(server -> CompletableFuture.supplyAsync(() -> defectOf(server), ServerProbe::runOnThread)
                        .exceptionally(failure -> "The probe failed (" + failure + ").")
                        .thenApply(found -> found.isEmpty() || servers.length == 1 ? found : server + ": " + found))
                .toList();
        return probes.stream()
                .map(CompletableFuture::join)
                .filter(found -> !found.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private String defectOf(String server) {
        Endpoint endpoint;
        try {
            endpoint = Endpoint.parse(server.matches(".*:\\d+") ? server : server + ":" + DEFAULT_PORT);
        } catch (IllegalArgumentException e) {
            return e.getMessage() + " See coordinator.connect.";
        }
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            return "No address is known for the host " + endpoint.host()
                    + ": correct coordinator.connect or the name service.";
        }
        try (Socket socket = connect(address)) {
            return tls.isPresent() ? overTls(socket, endpoint, address) : inTheClear(socket, address);
        } catch (ConnectException e) {
            return "Connection refused (" + e.getMessage() + "): start the coordinator, or the ensemble that"
                    + " coordinator.connect names.";
        } catch (SocketTimeoutException e) {
            return "No answer within " + waitMs / 1_000 + " s: check that its host is up and reachable.";
        } catch (IOException e) {
            if (isOverdue(e)) {
                return unanswered();
            }
            return "Connecting failed (" + e.getMessage() + "): check the network and coordinator.connect.";
        }
    }

    private Socket connect(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, waitMs);
            socket.setSoTimeout(waitMs);
            // the timeout of a read restarts with every byte; a server with one byte at a time must not keep the probe
            CompletableFuture.delayedExecutor((long) TIMEOUTS_MAX * waitMs, TimeUnit.MILLISECONDS)
                    .execute(() -> close(socket));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns whether the probe closed its connection itself, which is the only cause of this message. */
    private static boolean isOverdue(IOException e) {
        return e.getMessage() != null && e.getMessage().contains("Socket closed");
    }

    private String unanswered() {
        return "No complete answer within " + TIMEOUTS_MAX * waitMs / 1_000
                + " s: another program or a very slow server has this port.";
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing a probe failed.", e);
        }
    }

    private String inTheClear(Socket socket, InetSocketAddress address) throws IOException {
        String answer = ask(socket);
        if (answer.isEmpty() && speaksTls(address)) {
            return "The server speaks TLS and coordinator.tls is not set here: set coordinator.tls, with certificates"
                    + " of the cluster.";
        }
        return judge(answer);
    }

    private String overTls(Socket plain, Endpoint endpoint, InetSocketAddress address) throws IOException {
        Tls files = tls.orElseThrow();
        SSLParameters parameters = files.clientParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        try (SSLSocket socket = (SSLSocket)
                files.clientContext().getSocketFactory().createSocket(plain, endpoint.host(), endpoint.port(), true)) {
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return judge(ask(socket)); // a server reports an unwanted certificate after the handshake
        } catch (SocketTimeoutException e) {
            return "TLS handshake not answered within " + waitMs / 1_000 + " s: check that this is a ZooKeeper port.";
        } catch (IOException e) {
            if (isOverdue(e)) {
                return unanswered();
            }
            if (!answersInTheClear(address).isEmpty()) {
                return "The server speaks ZooKeeper without TLS and coordinator.tls is set here: set coordinator.tls"
                        + " at the server, too, or connect to its TLS port.";
            }
            String reason = HandshakeFailure.reason(e)
                    .orElseGet(() -> Objects.requireNonNullElse(e.getMessage(), e.toString()));
            return "TLS handshake failed: " + reason + ". Correct the files of coordinator.tls, here or at the server.";
        }
    }

    private static String judge(String answer) {
        if (answer.isEmpty()) {
            return "The server closed the connection without an answer: check that this is a ZooKeeper port.";
        }
        String text = answer.toLowerCase(Locale.ROOT);
        if (text.contains("not currently serving")) {
            return "The server runs but does not serve: it has no quorum, or its disk failed. See its log.";
        }
        return text.contains("zookeeper") || text.contains("whitelist")
                ? ""
                : "Another program answers at this port: correct coordinator.connect.";
    }

    /** Returns the beginning of the answer; empty when the server closed the connection. */
    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write(COMMAND);
        socket.getOutputStream().flush();
        InputStream in = socket.getInputStream();
        String answer = new String(in.readNBytes(ANSWER_MAX), StandardCharsets.ISO_8859_1);
        // a TLS alert is no answer
        return answer.startsWith("\u0015\u0003") ? "" : answer;
    }

    private String answersInTheClear(InetSocketAddress address) {
        try (Socket socket = connect(address)) {
            return ask(socket);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns whether a server begins a TLS handshake. Does not check the server's certificate and sends no data. */
    private boolean speaksTls(InetSocketAddress address) {
        try (Socket plain = connect(address);
                SSLSocket socket = (SSLSocket) SSLContext.getDefault()
                        .getSocketFactory()
                        .createSocket(plain, address.getHostString(), address.getPort(), true)) {
            socket.startHandshake();
            return true;
        } catch (SSLException e) {
            return e.getMessage() != null
                    && (e.getMessage().contains("PKIX") || e.getMessage().contains("fatal alert"));
        } catch (IOException | NoSuchAlgorithmException e) {
            return false;
        }
    }
}
