package io.chimera.bench.capture;

import io.chimera.bench.cluster.ClusterInput;
import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two network namespaces with a veth pair between them, and a sender of packets. Nothing else is on the wire. The namespaces
 * bear the number of this process and go when this is closed, or the process ends; those of one that was killed go with the
 * next.
 */
public final class Wire implements AutoCloseable {
    /** The interface that packets come in at. */
    public static final String RECEIVER = ClusterInput.INTERFACE;

    /** Different flows among the packets. */
    static final int FLOWS = 10_000;

    private static final String SENDER = "veth-s";
    private static final String INJECT = "chimera-inject";
    private static final String SEND = "chimera-send";
    private static final String PREFIX = "chimera-bench-";
    private static final Path NAMED = Path.of("/run/netns");
    private static final Pattern SENT = Pattern.compile("packets (\\d+) seconds ([0-9.]+)");

    private final String ip;
    private final Path programs;
    private final String sending;
    private final String receiving;

    private Wire(String ip, Path programs) {
        this.ip = ip;
        this.programs = programs;
        long pid = ProcessHandle.current().pid();
        sending = PREFIX + pid + "-s";
        receiving = PREFIX + pid + "-r";
    }

    /**
     * Makes one.
     *
     * @throws IOException when this user or this machine cannot: why, and the remedy
     */
    public static Wire open(BenchSite site) throws IOException, InterruptedException {
        Wire wire = new Wire(Tool.require("ip"), programs(site));
        removeLeftOvers(wire.ip);
        Runtime.getRuntime().addShutdownHook(new Thread(wire::remove, "namespaces"));
        try {
            wire.ip("netns", "add", wire.sending);
            wire.ip("netns", "add", wire.receiving);
            wire.quieten(wire.sending);
            wire.quieten(wire.receiving);
            wire.ip(
                    "link",
                    "add",
                    SENDER,
                    "netns",
                    wire.sending,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    RECEIVER,
                    "netns",
                    wire.receiving);
            wire.ip("-n", wire.sending, "link", "set", SENDER, "up");
            wire.ip("-n", wire.receiving, "link", "set", RECEIVER, "up");
            wire.ip("-n", wire.receiving, "link", "set", "lo", "up");
            return wire;
        } catch (IOException e) {
            wire.close();
            throw new IOException("it needs root, network namespaces and veth: " + e.getMessage(), e);
        }
    }

    /** Where the senders of packets lie, which are built when they are first needed. */
    private static Path programs(BenchSite site) throws IOException, InterruptedException {
        Path built = site.home().folder().resolve("chimera-native/target");
        if (!Files.isExecutable(built.resolve(INJECT)) || !Files.isExecutable(built.resolve(SEND))) {
            Path sources = site.home().folder().resolve("chimera-native/src/main/c");
            Tool.run(List.of(Tool.require("make"), "-C", sources.toString(), "measure"));
        }
        return built;
    }

    /** Keeps the kernel from sending anything by itself. */
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

    private String ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ip));
        command.addAll(List.of(arguments));
        return Tool.run(command);
    }

    /**
     * A command that runs where packets come in, on the core of receivers; its process is that of the program, which ends with
     * this one however that ends.
     */
    public List<String> whereReceived(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(
                List.of(ip, "netns", "exec", receiving, Tool.require("setpriv"), "--pdeathsig", "KILL"));
        all.addAll(Tool.onCore(BenchSite.RECEIVER, command));
        return all;
    }

    /**
     * Sends packets of the shortest frames from the core of the sender; returns when all are sent.
     *
     * @param rate packets per second; 0 as fast as it goes
     * @param isAcross whether over the veth pair, as AF_XDP wants it; otherwise they come in at the receiving end itself,
     *     as packet sockets do not see what XDP sends over veth without its own program at the other end
     * @return packets per second that were reached
     */
    double send(long packets, long rate, boolean isAcross) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                "netns",
                "exec",
                isAcross ? sending : receiving,
                programs.resolve(INJECT).toString(),
                isAcross ? SENDER : RECEIVER,
                "--packets",
                Long.toString(packets),
                "--bytes",
                Integer.toString(PacketTrace.FRAME_BYTES),
                "--flows",
                Integer.toString(FLOWS),
                "--cpu",
                Integer.toString(BenchSite.SENDER)));
        if (rate > 0) {
            command.addAll(List.of("--rate", Long.toString(rate)));
        }
        if (!isAcross) {
            command.add("--receive");
        }
        String said = ip(command.toArray(String[]::new));
        Matcher sent = SENT.matcher(said);
        if (!sent.find()) {
            throw new IOException("the sender of packets said " + said.strip().toLowerCase(Locale.ROOT));
        }
        return packets / Double.parseDouble(sent.group(2));
    }

    /**
     * Sends the packets of a file over the veth pair in their order, from the core of the sender; returns when all are sent.
     *
     * @param rate packets per second
     */
    public void send(Path file, long rate) throws IOException, InterruptedException {
        ip(
                "netns",
                "exec",
                sending,
                programs.resolve(SEND).toString(),
                SENDER,
                file.toString(),
                Long.toString(rate),
                Integer.toString(BenchSite.SENDER));
    }

    /** Runs a program where packets come in, to its end; all it said. */
    public String runWhereReceived(List<String> command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("netns", "exec", receiving));
        all.addAll(command);
        return ip(all.toArray(String[]::new));
    }

    private static void removeLeftOvers(String ip) throws IOException, InterruptedException {
        try (Stream<Path> named = Files.exists(NAMED) ? Files.list(NAMED) : Stream.empty()) {
            for (Path path : named.toList()) {
                Matcher owner = Pattern.compile(PREFIX + "(\\d+)-[sr]")
                        .matcher(path.getFileName().toString());
                if (owner.matches()
                        && ProcessHandle.of(Long.parseLong(owner.group(1))).isEmpty()) {
                    Tool.run(List.of(ip, "netns", "delete", owner.group()));
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
                    System.err.println("The namespace " + namespace + " is still there: " + e.getMessage());
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
