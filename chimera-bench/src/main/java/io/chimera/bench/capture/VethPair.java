package io.chimera.bench.capture;

import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two network namespaces connected by a veth pair without other traffic. The names of the namespaces contain the id of
 * this process. Closing the pair or ending the process removes the namespaces; the next run removes the namespaces of a
 * killed process.
 */
public final class VethPair implements AutoCloseable {
    /** IPv4 address of the receiver, after {@link #address}. */
    public static final String RECEIVER_HOST = "198.18.0.2";

    /** Interface of the sender. */
    static final String SENDER = "veth-s";

    private static final String RECEIVER = ClusterInput.INTERFACE;
    private static final String SENDER_HOST = "198.18.0.1";
    private static final String NETWORK = "/30";
    private static final String PREFIX = "chimera-bench-";
    private static final Path NAMED = Path.of("/run/netns");

    private final String ip;
    private final String sending;
    private final String receiving;

    private VethPair(String ip) {
        this.ip = ip;
        long pid = ProcessHandle.current().pid();
        sending = PREFIX + pid + "-s";
        receiving = PREFIX + pid + "-r";
    }

    /**
     * Creates the namespaces and the veth pair.
     *
     * @throws IOException with reason and remedy when user or machine cannot create them
     */
    public static VethPair open() throws IOException, InterruptedException {
        VethPair pair = new VethPair(ProgramRun.require("ip"));
        removeLeftOvers(pair.ip);
        Runtime.getRuntime().addShutdownHook(new Thread(pair::remove, "namespaces"));
        try {
            pair.ip("netns", "add", pair.sending);
            pair.ip("netns", "add", pair.receiving);
            pair.quieten(pair.sending);
            pair.quieten(pair.receiving);
            pair.ip(
                    "link",
                    "add",
                    SENDER,
                    "netns",
                    pair.sending,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    RECEIVER,
                    "netns",
                    pair.receiving);
            pair.ip("-n", pair.sending, "link", "set", SENDER, "up");
            pair.ip("-n", pair.receiving, "link", "set", RECEIVER, "up");
            pair.ip("-n", pair.receiving, "link", "set", "lo", "up");
            return pair;
        } catch (IOException e) {
            pair.close();
            throw new IOException("root, network namespaces and veth are required: " + e.getMessage(), e);
        }
    }

    /** Stops the kernel from sending its own packets. */
    private void quieten(String namespace) throws IOException, InterruptedException {
        ip(
                "netns",
                "exec",
                namespace,
                "sh",
                "-c",
                "[ ! -e /proc/sys/net/ipv6 ] || echo 1 | tee /proc/sys/net/ipv6/conf/all/disable_ipv6"
                        + " > /proc/sys/net/ipv6/conf/default/disable_ipv6");
    }

    /** Gives both interfaces an IPv4 address, for TCP connections from the sender to {@link #RECEIVER_HOST}. */
    public void address() throws IOException, InterruptedException {
        ip("-n", sending, "address", "add", SENDER_HOST + NETWORK, "dev", SENDER);
        ip("-n", receiving, "address", "add", RECEIVER_HOST + NETWORK, "dev", RECEIVER);
    }

    /**
     * Limits the rate from the sender to the receiver with a token bucket.
     *
     * @param rate rate in the syntax of tc, including the headers from Ethernet to TCP
     * @throws IOException when tc is missing or the kernel has no token bucket
     */
    public void limit(String rate) throws IOException, InterruptedException {
        // a bucket of 1 MB is 8 ms at 1 Gbit/s, and holds the large segments of a veth
        ip(
                "netns",
                "exec",
                sending,
                ProgramRun.require("tc"),
                "qdisc",
                "add",
                "dev",
                SENDER,
                "root",
                "tbf",
                "rate",
                rate,
                "burst",
                "1mb",
                "latency",
                "20ms");
    }

    /**
     * Wraps a command to run in the receiver's namespace on the receivers' core. The process is the program itself,
     * which ends with this process, however this process ends.
     */
    public List<String> whereReceived(List<String> command) throws IOException {
        return where(receiving, BenchSite.RECEIVER, command);
    }

    /** Wraps a command as {@link #whereReceived}, for the sender's namespace and core. */
    public List<String> whereSent(List<String> command) throws IOException {
        return where(sending, BenchSite.SENDER, command);
    }

    private List<String> where(String namespace, int core, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(
                List.of(ip, "netns", "exec", namespace, ProgramRun.require("setpriv"), "--pdeathsig", "KILL"));
        all.addAll(ProgramRun.onCore(core, command));
        return all;
    }

    /** Returns the namespace of the sender. */
    String sending() {
        return sending;
    }

    /** Returns the namespace of the receiver. */
    String receiving() {
        return receiving;
    }

    /** Runs ip to its end, and returns its output. */
    String ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ip));
        command.addAll(List.of(arguments));
        return ProgramRun.run(command);
    }

    private static void removeLeftOvers(String ip) throws IOException, InterruptedException {
        try (Stream<Path> named = Files.exists(NAMED) ? Files.list(NAMED) : Stream.empty()) {
            for (Path path : named.toList()) {
                Matcher owner = Pattern.compile(PREFIX + "(\\d+)-[sr]")
                        .matcher(path.getFileName().toString());
                if (owner.matches()
                        && ProcessHandle.of(Long.parseLong(owner.group(1))).isEmpty()) {
                    ProgramRun.run(List.of(ip, "netns", "delete", owner.group()));
                }
            }
        }
    }

    private synchronized void remove() {
        for (String namespace : List.of(sending, receiving)) {
            if (Files.exists(NAMED.resolve(namespace))) {
                try {
                    ip("netns", "delete", namespace);
                } catch (IOException e) {
                    System.err.println("The namespace " + namespace + " could not be removed: " + e.getMessage());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @Override
    public void close() {
        remove();
    }
}
