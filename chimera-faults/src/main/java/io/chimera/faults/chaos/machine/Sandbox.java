package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A run in separate mount, process and network namespaces. All mounts, processes and settings of the run belong to
 * these namespaces, and the kernel removes all of them when their first process ends, for whatever reason. The first
 * process ends when {@link #close} kills the process, or when its standard input ends: a pipe from this process.
 */
public final class Sandbox implements AutoCloseable {
    private static final List<String> JVM_FLAGS =
            List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private static final Duration LET_GO_PATIENCE = Duration.ofSeconds(5);
    private static final long LOOK_MS = 50;

    private final Path folder;
    private final Process process;

    private Sandbox(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts a run with the standard output and error of this process.
     *
     * @param folder of the run
     * @param main class and arguments of the run, on the class path of this process
     */
    public static Sandbox start(ChimeraHome home, Path folder, List<String> main) {
        List<String> command = new ArrayList<>(
                List.of("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc", "--"));
        command.addAll(home.java("conf/jvm.options"));
        command.addAll(JVM_FLAGS);
        command.add("-Djava.io.tmpdir=" + temporary(folder));
        command.add("-Dchimera.home=" + home.folder());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(main);
        try {
            Files.createDirectories(temporary(folder));
            return new Sandbox(
                    folder,
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "Cannot start the run: " + e.getMessage() + ".", e);
        }
    }

    /** Returns the folder for temporary files of the run's processes. */
    public static Path temporary(Path folder) {
        return folder.resolve("tmp");
    }

    /** Waits for the end of the run and returns the exit code. */
    public int await() throws InterruptedException {
        return process.waitFor();
    }

    /**
     * Describes leftovers after the end of the run; empty in a correct run. The kernel needs a moment to release a file
     * system, so the method waits for some seconds.
     */
    public List<String> leftovers() throws InterruptedException {
        long deadline = System.nanoTime() + LET_GO_PATIENCE.toNanos();
        List<String> found = found();
        while (!found.isEmpty() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MS);
            found = found();
        }
        return found;
    }

    private List<String> found() {
        List<String> found = new ArrayList<>();
        ProcessHandle.allProcesses()
                .filter(other -> other.pid() != ProcessHandle.current().pid())
                .filter(other -> other.info().commandLine().orElse("").contains(folder.toString()))
                .forEach(other -> found.add("process " + other.pid()));
        try (Stream<Path> devices = Files.list(Path.of("/sys/block"))) {
            for (Path device : devices.toList()) {
                Path backing = device.resolve("loop/backing_file");
                if (Files.isReadable(backing) && Files.readString(backing).contains(folder.toString())) {
                    found.add("loop device " + device.getFileName());
                }
            }
            if (Files.readString(Path.of("/proc/self/mounts")).contains(folder.toString())) {
                found.add("a mount in " + folder);
            }
        } catch (IOException e) {
            found.add("unknown, " + e.getMessage());
        }
        return found;
    }

    /** Ends the run with all its processes at once. Any thread; harmless when called twice. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
