package io.chimera.apps.node.child;

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
 * Free ports of the loopback address, for TCP and UDP alike; each is handed out once. They lie below the range from
 * which the kernel takes ports by itself, and processes begin at different places of their range: a port stays free until the
 * process that it is meant for listens on it.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int COUNT = 12_000;

    /** Distance between the first ports of two processes with successive numbers. */
    private static final int PER_PROCESS = 97;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * PER_PROCESS % COUNT));

    private final Deque<Integer> ports = new ArrayDeque<>();

    /**
     * Finds ports.
     *
     * @param count of the ports
     */
    public FreePorts(int count) {
        for (int tried = 0; ports.size() < count; tried++) {
            if (tried == COUNT) {
                throw new UncheckedIOException(new BindException("Only " + ports.size() + " of the ports " + FIRST
                        + " to " + (FIRST + COUNT - 1) + " of the loopback address are free, and " + count
                        + " are needed; stop the programs that hold them (ss -ltnu)."));
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

    /** The next, as 127.0.0.1:port. */
    public String next() {
        return "127.0.0.1:" + ports.remove();
    }
}
