package io.chimera.queue.source;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts datagrams dropped by the kernel at the sockets of UDP inputs, usually because a receive buffer was full. Linux
 * reports the counts in the last column of {@code /proc/net/udp} and {@code udp6}. One agent reads the files; any
 * thread may query the counts.
 */
public final class KernelDrops implements Agent {
    /** Folder of the kernel's UDP socket tables for the network namespace of this process. */
    private static final Path TABLES = Path.of("/proc/net");

    private static final Logger LOG = LoggerFactory.getLogger(KernelDrops.class);

    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(5);

    /** Duration of a warning, and minimum interval between log lines of an input. */
    private static final long GROWTH_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int COLUMNS_MIN = 13;
    private static final int LOCAL_ADDRESS = 1;
    private static final int V4_LENGTH = 8;

    private static final String REMEDY =
            " The node reads the socket too slowly for such bursts. Set net.core.rmem_max to 4194304 or more and restart the"
                    + " node, add a queue node, or let senders use TCP or HTTP.";

    private final Path tables;
    private final List<Socket> sockets = new ArrayList<>();
    private final Clock clock;
    private final Consumer<String> log;
    private boolean isStarted;
    private long lookedNs;
    private boolean isUnreadableLogged;

    /** Socket of a UDP input. Written by the agent, read by any thread. */
    private static final class Socket {
        private final String input;
        private final Endpoint address;
        private volatile double drops = Double.NaN;
        private volatile long dropsBeforeGrowth;
        private volatile long grownNs;
        private volatile boolean isGrowing;
        private long loggedNs;
        private boolean isLogged;

        Socket(String input, Endpoint address) {
            this.input = input;
            this.address = address;
        }
    }

    /**
     * Creates the agent for the inputs of a listening node.
     *
     * @param addresses bound addresses, by {@code input/protocol}
     */
    public KernelDrops(Map<String, Endpoint> addresses, Clock clock) {
        this(TABLES, addresses, clock, line -> LOG.warn("{}", line));
    }

    /** Creates the agent with other tables and another log, for tests. */
    KernelDrops(Path tables, Map<String, Endpoint> addresses, Clock clock, Consumer<String> log) {
        this.tables = tables;
        this.clock = clock;
        this.log = log;
        new TreeMap<>(addresses).forEach((port, address) -> {
            if (port.endsWith("/udp")) {
                sockets.add(new Socket(port.substring(0, port.length() - "/udp".length()), address));
            }
        });
    }

    /** Names of the UDP inputs. */
    public List<String> inputs() {
        return sockets.stream().map(socket -> socket.input).toList();
    }

    /** Number of datagrams dropped by the kernel since the input's socket was opened; NaN when unknown. Thread-safe. */
    public double of(String input) {
        return sockets.stream()
                .filter(socket -> socket.input.equals(input))
                .mapToDouble(socket -> socket.drops)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** One warning for each input with new drops within the last minute. Thread-safe. */
    public List<String> warnings() {
        long nowNs = clock.nanoTime();
        return sockets.stream()
                .filter(socket -> socket.isGrowing && nowNs - socket.grownNs < GROWTH_NS)
                .map(KernelDrops::sentence)
                .toList();
    }

    private static String sentence(Socket socket) {
        long drops = (long) socket.drops;
        return "The kernel dropped " + drops + " datagrams of input " + socket.input + " at " + socket.address
                + " since the socket was opened, " + (drops - socket.dropsBeforeGrowth) + " of them recently."
                + REMEDY;
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (sockets.isEmpty() || (isStarted && nowNs - lookedNs < LOOK_NS)) {
            return 0;
        }
        isStarted = true;
        lookedNs = nowNs;
        List<String[]> rows = rows();
        for (Socket socket : sockets) {
            update(socket, drops(rows, socket.address), nowNs);
        }
        return 1;
    }

    private void update(Socket socket, double drops, long nowNs) {
        if (Double.isNaN(drops)) {
            if (!isUnreadableLogged) {
                isUnreadableLogged = true;
                log.accept("Cannot count kernel drops of UDP inputs: " + tables
                        + "/udp and udp6 do not list the socket of input "
                        + socket.input + " at " + socket.address
                        + ". The metric chimera_source_datagrams_dropped_kernel is absent; mount /proc to restore it.");
            }
        } else if (drops > (Double.isNaN(socket.drops) ? 0 : socket.drops)) {
            grown(socket, Double.isNaN(socket.drops) ? 0 : (long) socket.drops, drops, nowNs);
            return;
        }
        socket.drops = drops;
    }

    private void grown(Socket socket, long before, double drops, long nowNs) {
        if (!socket.isGrowing || nowNs - socket.grownNs >= GROWTH_NS) {
            socket.dropsBeforeGrowth = before;
        }
        socket.drops = drops;
        socket.grownNs = nowNs;
        socket.isGrowing = true;
        if (!socket.isLogged || nowNs - socket.loggedNs >= GROWTH_NS) {
            socket.isLogged = true;
            socket.loggedNs = nowNs;
            log.accept(sentence(socket));
        }
    }

    /** Reads the rows of both tables, split at spaces; a missing table yields no rows. */
    private List<String[]> rows() {
        List<String[]> rows = new ArrayList<>();
        for (String table : List.of("udp", "udp6")) {
            try {
                for (String line : Files.readAllLines(tables.resolve(table), StandardCharsets.ISO_8859_1)) {
                    String[] columns = line.strip().split("\\s+", -1);
                    if (columns.length >= COLUMNS_MIN && columns[LOCAL_ADDRESS].indexOf(':') > 0) {
                        rows.add(columns);
                    }
                }
            } catch (IOException e) { // no IPv6 or no /proc; update() logs a missing socket
                LOG.debug("Cannot read {}.", tables.resolve(table), e);
            }
        }
        return rows;
    }

    private static double drops(List<String[]> rows, Endpoint address) {
        double drops = Double.NaN;
        for (String[] columns : rows) {
            if (isOf(columns[LOCAL_ADDRESS], address)) {
                drops = (Double.isNaN(drops) ? 0 : drops) + number(columns[columns.length - 1]);
            }
        }
        return drops;
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Whether a local address of a table (32-bit words in native byte order) equals an endpoint. */
    private static boolean isOf(String local, Endpoint address) {
        int colon = local.indexOf(':');
        try {
            if (Integer.parseInt(local.substring(colon + 1), 16) != address.port()) {
                return false;
            }
            InetAddress found = InetAddress.getByAddress(bytes(local.substring(0, colon)));
            InetAddress expected = InetAddress.getByName(address.host());
            return found.equals(expected) || (found.isAnyLocalAddress() && expected.isAnyLocalAddress());
        } catch (UnknownHostException | IllegalArgumentException e) {
            return false;
        }
    }

    private static byte[] bytes(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        if (hex.length() < V4_LENGTH) {
            throw new IllegalArgumentException("An address must have at least 4 bytes.");
        }
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            ByteBuffer words = ByteBuffer.wrap(bytes);
            for (int i = 0; i + Integer.BYTES <= bytes.length; i += Integer.BYTES) {
                words.putInt(i, Integer.reverseBytes(words.getInt(i)));
            }
        }
        return bytes;
    }

    @Override
    public String roleName() {
        return "kernel-drops";
    }
}
