package io.chimera.bench.capture;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Process that runs a job on a file: first once, then in several samples of several passes. Prints the cost of a pass
 * after each. Its arguments are job, file, flows, passes per sample, samples.
 */
public final class FilePeer {
    private FilePeer() {}

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException {
        FileJob job = FileJob.valueOf(arguments[0]);
        Path file = Path.of(arguments[1]);
        int flowsMax = Integer.parseInt(arguments[2]);
        int times = Integer.parseInt(arguments[3]);
        int samples = Integer.parseInt(arguments[4]);
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Counted first = job.run(file, flowsMax);
        System.out.println(
                new Pass(first, process.getProcessCpuTime(), first.wallNs()).line()); // includes the start of the JVM
        for (int sample = 0; sample < samples; sample++) {
            long cpuNs = process.getProcessCpuTime();
            long wallNs = 0;
            Counted counted = first;
            for (int i = 0; i < times && counted.isSame(first); i++) {
                counted = job.run(file, flowsMax);
                wallNs += counted.wallNs();
            }
            System.out.println(new Pass(counted, (process.getProcessCpuTime() - cpuNs) / times, wallNs / times).line());
        }
    }
}
