package io.chimera.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Observes the machine before and after a run. */
public final class MachineWatch {
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Path home;
    private final Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final BigDecimal loadStart = load();
    private final CpuTimes timesStart = CpuTimes.read();

    /**
     * Begins the observation.
     *
     * @param home root of the source tree
     */
    public MachineWatch(Path home) {
        this.home = home;
    }

    /**
     * Ends the observation.
     *
     * @param command command line
     */
    public Machine finish(String command) {
        CpuTimes timesEnd = CpuTimes.read();
        return new Machine(
                system.getAvailableProcessors(),
                CpuTimes.model(),
                system.getTotalMemorySize(),
                System.getProperty("java.runtime.version") + " (" + System.getProperty("java.vendor") + ")",
                system.getName() + " " + system.getVersion() + " " + system.getArch(),
                loadStart,
                load(),
                timesStart == null || timesEnd == null ? null : Rounding.to(2, timesEnd.othersSince(timesStart)),
                commit(),
                start.toString(),
                command);
    }

    private BigDecimal load() {
        double load = system.getSystemLoadAverage();
        return load < 0 ? null : Rounding.to(2, load);
    }

    private String commit() {
        String commit = git("rev-parse", "--short=12", "HEAD");
        if (commit == null) {
            return null;
        }
        String changes = git("status", "--porcelain", "--untracked-files=no");
        return changes == null || changes.isEmpty() ? commit : commit + "-dirty";
    }

    /** Returns the output of git; null without git or without a repository. */
    private String git(String... arguments) {
        String[] command = new String[arguments.length + 3];
        command[0] = "git";
        command[1] = "-C";
        command[2] = home.toString();
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            return process.waitFor() == 0 ? output.strip() : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
