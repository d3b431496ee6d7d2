package io.chimera.bench.capture;

import java.util.List;
import java.util.Locale;

/**
 * Cost of one pass over a file, sent as a line from the measuring process to its parent.
 *
 * @param counted counters of the last pass
 * @param cpuNs processor time of the whole process
 * @param wallNs wall time
 */
record Pass(Counted counted, long cpuNs, long wallNs) {
    private static final String MARK = "pass:";

    String line() {
        return String.format(Locale.ROOT, "%s %d %d %d %d", MARK, counted.packets(), counted.flows(), cpuNs, wallNs);
    }

    /** Parses the passes from the output of a process. */
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
