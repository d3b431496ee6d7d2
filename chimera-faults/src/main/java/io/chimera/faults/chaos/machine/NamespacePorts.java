package io.chimera.faults.chaos.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Listening TCP ports in the network namespace of a process, read from the kernel's tables. */
public final class NamespacePorts {
    private static final String LISTEN = "0A";
    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;

    private NamespacePorts() {}

    /** Returns the ports; none after the end of the process. */
    public static SortedSet<Integer> of(long pid) {
        SortedSet<Integer> ports = new TreeSet<>();
        for (String table : List.of("tcp", "tcp6")) {
            try {
                Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table), StandardCharsets.US_ASCII)
                        .forEach(line -> add(ports, line));
            } catch (IOException e) {
                // the process has ended, or the kernel has no IPv6
            }
        }
        return ports;
    }

    /** Adds the port of a line such as {@code 0: 0100007F:0CEA 00000000:0000 0A ...}. */
    static void add(SortedSet<Integer> ports, String line) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > STATE && columns[STATE].equals(LISTEN)) {
            String local = columns[LOCAL_ADDRESS];
            ports.add(Integer.parseInt(local.substring(local.lastIndexOf(':') + 1), 16));
        }
    }
}
