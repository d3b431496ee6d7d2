package io.chimera.node.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Free ports of the loopback address, for both TCP and UDP; each port is returned once. The range lies below the
 * kernel's ephemeral ports, and different processes begin at different positions of the range. So a port stays free
 * until its process listens on the port.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    /** Distance between the first ports of two processes with consecutive process ids. */
    private static final int PER_PROCESS = 97;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * PER_PROCESS % COUNT));

    private final Deque<Integer> ports = new ArrayDeque<>();

    /**
     * Finds free ports.
     *
     * @param count number of ports
     */
    public FreePorts(int count) {
        for (int tried = 0; ports.size() < count; tried++) {
            if (tried == COUNT) {
                throw new UncheckedIOException(new BindException("Only " + ports.size() + " ports from " + FIRST
                        + " to " + (FIRST + COUNT - 1) + " of the loopback address are free, but " + count
                        + " are required; stop the programs on these ports (ss -ltnu)."));
            }
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port)) {
                ports.add(port);
            }
        }
    }

    private static boolean isFree(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (ServerSocket tcp = new ServerSocket();
                DatagramSocket udp = new DatagramSocket(null)) {
            tcp.bind(address);
            udp.bind(address);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the next port as 127.0.0.1:port. */
    public String next() {
        return first(1);
    }

    /**
     * Returns the first of consecutive ports, of which the caller has all.
     *
     * @param count number of ports
     * @return 127.0.0.1:port
     */
    public String first(int count) {
        Deque<Integer> taken = new ArrayDeque<>();
        while (taken.size() < count) {
            int port = ports.remove();
            if (!taken.isEmpty() && port != taken.getLast() + 1) {
                taken.clear();
            }
            taken.add(port);
        }
        return "127.0.0.1:" + taken.getFirst();
    }
}
