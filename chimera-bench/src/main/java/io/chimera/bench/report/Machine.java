package io.chimera.bench.report;

import java.math.BigDecimal;

/**
 * Where and when figures were seen, and who else was busy there. What the machine does not tell is null.
 *
 * @param cpus processors the JVM may use
 * @param model name of the processor
 * @param memoryBytes main memory
 * @param jdk version and maker of the Java runtime
 * @param os operating system, its version and architecture
 * @param loadStart load average over the last minute before the run
 * @param loadEnd the same at its end; the run itself is in it
 * @param busyOthers share of all processors, 0 to 1, that other processes took during the run
 * @param commit commit of the source tree, with {@code -dirty} when files in it were changed
 * @param date day and time of the start, UTC
 * @param command what was typed
 */
public record Machine(
        int cpus,
        String model,
        long memoryBytes,
        String jdk,
        String os,
        BigDecimal loadStart,
        BigDecimal loadEnd,
        BigDecimal busyOthers,
        String commit,
        String date,
        String command) {}
