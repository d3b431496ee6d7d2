package io.chimera.apps.node.child;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.agrona.CloseHelper;

/** Ports of the loopback address that nobody uses, for TCP and UDP alike; each is handed out once. */
public final class FreePorts {
    private final Deque<Integer> ports = new ArrayDeque<>();

    /** So many ports; all are held until all are found, so that none is found twice. */
    public FreePorts(int count) {
        List<AutoCloseable> held = new ArrayList<>();
        try {
            while (ports.size() < count) {
                ServerSocket tcp = new ServerSocket();
                held.add(tcp);
                tcp.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramSocket udp = udp(tcp.getLocalPort());
                if (udp != null) {
                    held.add(udp);
                    ports.add(tcp.getLocalPort());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on the loopback address", e);
        } finally {
            CloseHelper.quietCloseAll(held);
        }
    }

    private static DatagramSocket udp(int port) {
        try {
            return new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            return null; // taken for UDP: try the next
        }
    }

    /** The next, as 127.0.0.1:port. */
    public String next() {
        return "127.0.0.1:" + ports.remove();
    }
}
