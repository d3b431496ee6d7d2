package io.chimera.bench.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Mounted hierarchy of control groups that can limit processor time.
 *
 * @param version version of the hierarchy
 * @param root folder of the root group
 */
record CgroupMount(CgroupVersion version, Path root) {
    private static final String CPU = "cpu";

    /** Fields of a line of /proc/mounts: device, mount point, type, options. */
    private static final int POINT = 1;

    private static final int TYPE = 2;
    private static final int OPTIONS = 3;

    /**
     * Finds the hierarchy. The controller belongs to at most one hierarchy of the machine.
     *
     * @param mounts file in the format of /proc/mounts
     * @return empty when no hierarchy has the controller
     */
    static Optional<CgroupMount> find(Path mounts) throws IOException {
        for (String line : Files.readAllLines(mounts)) {
            String[] fields = line.split(" ", -1);
            if (fields.length <= OPTIONS) {
                continue;
            }
            Path point = Path.of(fields[POINT]);
            if (fields[TYPE].equals("cgroup")
                    && List.of(fields[OPTIONS].split(",", -1)).contains(CPU)) {
                return Optional.of(new CgroupMount(CgroupVersion.V1, point));
            }
            if (fields[TYPE].equals("cgroup2") && hasCpuController(point)) {
                return Optional.of(new CgroupMount(CgroupVersion.V2, point));
            }
        }
        return Optional.empty();
    }

    private static boolean hasCpuController(Path point) throws IOException {
        Path controllers = point.resolve("cgroup.controllers");
        return Files.isReadable(controllers)
                && List.of(Files.readString(controllers).strip().split(" ", -1)).contains(CPU);
    }
}
