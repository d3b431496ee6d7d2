package io.chimera.bench.capture;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * A process that does a job with a file: once, and then several samples of so many times. After each it says what a time took:
 * job, file, flows, times of a sample, samples.
 */
public final class FilePeer {
    private FilePeer() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        FileJob job = FileJob.valueOf(arguments[0]);
        Path file = Path.of(arguments[1]);
        int flowsMax = Integer.parseInt(arguments[2]);
        int times = Integer.parseInt(arguments[3]);
        int samples = Integer.parseInt(arguments[4]);
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Counted first = job.run(file, flowsMax);
        System.out.println(
                new Pass(first, process.getProcessCpuTime(), first.wallNs()).line()); // with the start of the JVM
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
