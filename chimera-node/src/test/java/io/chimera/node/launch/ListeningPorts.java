package io.chimera.node.launch;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Listening ports of a process, read from the kernel. */
final class ListeningPorts {
    private ListeningPorts() {}

    /** Returns the listening addresses of a process: its sockets, looked up in the kernel's tables. */
    static Set<String> of(Process process, String protocol) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> fds = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (Path fd : fds.toList()) {
                String target = Files.readSymbolicLink(fd).toString();
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        Set<String> addresses = new TreeSet<>();
        for (String table : List.of(protocol, protocol + "6")) {
            Path path = Path.of("/proc/" + process.pid() + "/net/" + table);
            for (String line : Files.exists(path) ? Files.readAllLines(path) : List.<String>of()) {
                String[] columns = line.strip().split("\\s+", -1);
                String state = protocol.equals("tcp") ? "0A" : "07"; // TCP_LISTEN; unconnected for UDP
                if (columns.length > 9 && columns[3].equals(state) && inodes.contains(columns[9])) {
                    String[] local = columns[1].split(":", -1);
                    // 127.0.0.1 in this machine's byte order, plain or mapped into IPv6
                    String host = local[0].endsWith("0100007F") ? "127.0.0.1" : local[0];
                    addresses.add(host + ":" + Integer.parseInt(local[1], 16));
                }
            }
        }
        return addresses;
    }

    /** Whether a port closes a connection after garbage. */
    static boolean closesOnGarbage(String address) throws IOException {
        URI uri = URI.create("tcp://" + address);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(new byte[256]);
            out.flush();
            while (socket.getInputStream().read() >= 0) {
                // the node's first bytes
            }
            return true;
        } catch (SocketException e) {
            return true; // connection reset
        }
    }

    /** Returns currently free addresses. */
    static List<String> free(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream()
                    .map(socket -> "127.0.0.1:" + socket.getLocalPort())
                    .toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
