package io.chimera.bench.capture;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/** A process that does a job with a file several times, and says after each what it took: job, file, flows, passes. */
public final class FilePeer {
    private FilePeer() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        FileJob job = FileJob.valueOf(arguments[0]);
        Path file = Path.of(arguments[1]);
        int flowsMax = Integer.parseInt(arguments[2]);
        int passes = Integer.parseInt(arguments[3]);
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int i = 0; i < passes; i++) {
            long cpuNs = i == 0 ? 0 : process.getProcessCpuTime(); // the first counts with the start of the JVM
            long startNs = System.nanoTime();
            Counted counted = job.run(file, flowsMax);
            long wallNs = System.nanoTime() - startNs;
            System.out.println(new Pass(counted, process.getProcessCpuTime() - cpuNs, wallNs).line());
        }
    }
}
