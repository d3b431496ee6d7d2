package io.chimera.bench.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Control group for the processor time of some processes; without a limit at first. One thread. */
public final class CpuGroup {
    private final CgroupVersion version;
    private final Path folder;

    CpuGroup(CgroupVersion version, Path folder) {
        this.version = version;
        this.folder = folder;
    }

    /** Moves a process with all its threads into the group. */
    public void add(long pid) throws IOException {
        CgroupVersion.write(folder.resolve(CgroupVersion.PROCESSES), Long.toString(pid));
    }

    /**
     * Limits the processor time of all processes together.
     *
     * @param percent share of one core in percent
     */
    public void limit(double percent) throws IOException {
        version.limit(folder, CpuQuota.ofPercent(percent));
    }

    /** Removes the limit. */
    public void lift() throws IOException {
        version.lift(folder);
    }

    /** Returns the throttling since the creation of the group. */
    public CpuStat stat() throws IOException {
        return CpuStat.parse(Files.readString(folder.resolve("cpu.stat")));
    }
}
