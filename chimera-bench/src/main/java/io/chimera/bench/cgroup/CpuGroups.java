package io.chimera.bench.cgroup;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * Control groups of this process, in one folder below the root group. Closing them, or the end of this process, moves
 * their processes back and removes the folder; after kill -9, the next process that opens groups removes the folder.
 * One thread, except {@link #close}.
 */
public final class CpuGroups implements AutoCloseable {
    private static final Path MOUNTS = Path.of("/proc/mounts");
    private static final String NAME = "chimera-bench-";

    private static final String REMEDY = "Run the command as root on a machine, or in a virtual machine, where"
            + " /sys/fs/cgroup is writable; a container needs its own writable control groups.";

    /** A killed process leaves its group some time after its end. */
    private static final int REMOVALS = 50;

    private static final long REMOVAL_PAUSE_MS = 20;

    private final CgroupMount mount;
    private final Path folder;
    private final FolderRemoval removal;
    private final Thread atExit = new Thread(this::remove, "control-groups");

    /** Removes the folder of a group; the kernel removes its files. */
    @FunctionalInterface
    interface FolderRemoval {
        void remove(Path group) throws IOException;
    }

    private CpuGroups(CgroupMount mount, Path folder, FolderRemoval removal) {
        this.mount = mount;
        this.folder = folder;
        this.removal = removal;
    }

    /**
     * Creates the folder of this process.
     *
     * @throws IOException with reason and remedy when this machine does not permit limits
     */
    public static CpuGroups open() throws IOException {
        CpuGroups groups = open(
                MOUNTS,
                ProcessHandle.current().pid(),
                pid -> ProcessHandle.of(pid).isPresent(),
                Files::deleteIfExists);
        Runtime.getRuntime().addShutdownHook(groups.atExit);
        return groups;
    }

    /**
     * Creates the folder of a process.
     *
     * @param mounts file in the format of /proc/mounts
     * @param pid id of the process
     * @param isAlive whether a process runs
     * @param removal removes the folder of a group
     */
    static CpuGroups open(Path mounts, long pid, LongPredicate isAlive, FolderRemoval removal) throws IOException {
        CgroupMount mount = CgroupMount.find(mounts)
                .orElseThrow(() -> new IOException("Processor time cannot be limited: " + mounts
                        + " has no control groups with the controller cpu. " + REMEDY));
        CpuGroups groups = new CpuGroups(mount, mount.root().resolve(NAME + pid), removal);
        try {
            groups.removeOrphans(isAlive);
            mount.version().prepare(mount.root());
            Files.createDirectories(groups.folder);
            mount.version().prepare(groups.folder);
            return groups;
        } catch (IOException e) {
            groups.remove();
            throw refusal(mount.root(), e);
        }
    }

    private static IOException refusal(Path root, IOException e) {
        String reason = e instanceof FileSystemException failure && failure.getReason() != null
                ? failure.getReason()
                : e.getClass().getSimpleName() + ": " + e.getMessage();
        return new IOException(
                "Processor time cannot be limited: groups cannot be created in " + root + " (" + reason + "). "
                        + REMEDY,
                e);
    }

    /**
     * Creates a group without a limit.
     *
     * @throws IOException with reason and remedy when the kernel refuses the group
     */
    public CpuGroup create(String name) throws IOException {
        try {
            Path group = Files.createDirectory(folder.resolve(name));
            return new CpuGroup(mount.version(), group);
        } catch (IOException e) {
            throw refusal(folder, e);
        }
    }

    /** Removes the folders of processes that were killed. */
    private void removeOrphans(LongPredicate isAlive) throws IOException {
        List<Path> found;
        try (Stream<Path> all = Files.list(mount.root())) {
            found = all.filter(Files::isDirectory)
                    .filter(group -> group.getFileName().toString().matches(NAME + "\\d+"))
                    .toList();
        }
        for (Path group : found) {
            long pid = Long.parseLong(group.getFileName().toString().substring(NAME.length()));
            if (!isAlive.test(pid)) {
                remove(group);
            }
        }
    }

    /** Removes all groups; their processes continue without a limit. */
    public void removeAll() {
        for (Path group : children(folder)) {
            removeGroup(group);
        }
    }

    private void remove() {
        remove(folder);
    }

    private void remove(Path parent) {
        if (Files.isDirectory(parent)) {
            children(parent).forEach(this::removeGroup);
            removeGroup(parent);
        }
    }

    private static List<Path> children(Path parent) {
        try (Stream<Path> all = Files.list(parent)) {
            return all.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            return List.of(); // another process removed it
        }
    }

    private void removeGroup(Path group) {
        for (int i = 0; i < REMOVALS; i++) {
            try {
                moveProcesses(group);
                removal.remove(group);
                return;
            } catch (IOException e) {
                pause();
            }
        }
        System.err.println("Cannot remove the control group " + group + "; remove it with rmdir.");
    }

    private void moveProcesses(Path group) throws IOException {
        Path processes = group.resolve(CgroupVersion.PROCESSES);
        if (!Files.exists(processes)) {
            return;
        }
        for (String pid : Files.readAllLines(processes)) {
            CgroupVersion.write(mount.root().resolve(CgroupVersion.PROCESSES), pid);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(REMOVAL_PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes all groups and the folder. */
    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the process is ending: the hook removes the groups, too
        }
    }
}
