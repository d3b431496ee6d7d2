package io.chimera.bench.report;

import java.math.BigDecimal;

/**
 * Machine, time and other load of a measurement. Unknown values are null.
 *
 * @param cpus processors available to the JVM
 * @param model name of the processor
 * @param memoryBytes main memory
 * @param jdk version and vendor of the Java runtime
 * @param os name, version and architecture of the operating system
 * @param loadStart load average of the last minute before the run
 * @param loadEnd load average at the end, including the run itself
 * @param busyOthers share of all processors, 0 to 1, used by other processes during the run
 * @param commit commit of the source tree, with {@code -dirty} for changed files
 * @param date start time, UTC
 * @param command command line
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
