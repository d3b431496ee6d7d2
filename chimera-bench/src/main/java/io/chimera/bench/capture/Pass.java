package io.chimera.bench.capture;

import java.util.List;
import java.util.Locale;

/**
 * What a time over a file took, as a line from the process that did it to the one that asked.
 *
 * @param counted what came out last
 * @param cpuNs processor time of the whole process
 * @param wallNs time that passed
 */
record Pass(Counted counted, long cpuNs, long wallNs) {
    private static final String MARK = "pass:";

    String line() {
        return String.format(Locale.ROOT, "%s %d %d %d %d", MARK, counted.packets(), counted.flows(), cpuNs, wallNs);
    }

    /** The passes in what a process said. */
    static List<Pass> all(String output) {
        return output.lines()
                .filter(line -> line.startsWith(MARK))
                .map(line -> line.split(" ", -1))
                .map(parts -> new Pass(
                        new Counted(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseLong(parts[4])),
                        Long.parseLong(parts[3]),
                        Long.parseLong(parts[4])))
                .toList();
    }
}
