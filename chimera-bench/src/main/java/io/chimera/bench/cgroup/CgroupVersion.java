package io.chimera.bench.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Version of the kernel's control groups; the versions have different files. */
enum CgroupVersion {
    /** Separate hierarchy for processor time. */
    V1 {
        @Override
        void prepare(Path parent) {
            // the hierarchy has this controller only
        }

        @Override
        void limit(Path group, CpuQuota quota) throws IOException {
            write(group.resolve("cpu.cfs_period_us"), Long.toString(quota.periodUs()));
            write(group.resolve("cpu.cfs_quota_us"), Long.toString(quota.quotaUs()));
        }

        @Override
        void lift(Path group) throws IOException {
            write(group.resolve("cpu.cfs_quota_us"), "-1");
        }
    },

    /** One hierarchy, whose controllers must be enabled for the children of a group. */
    V2 {
        @Override
        void prepare(Path parent) throws IOException {
            write(parent.resolve("cgroup.subtree_control"), "+cpu");
        }

        @Override
        void limit(Path group, CpuQuota quota) throws IOException {
            write(group.resolve("cpu.max"), quota.quotaUs() + " " + quota.periodUs());
        }

        @Override
        void lift(Path group) throws IOException {
            write(group.resolve("cpu.max"), "max");
        }
    };

    /** File with the ids of the processes of a group; a written id moves the process. */
    static final String PROCESSES = "cgroup.procs";

    /** Enables limits for the children of a group. */
    abstract void prepare(Path parent) throws IOException;

    /** Limits the processor time of a group. */
    abstract void limit(Path group, CpuQuota quota) throws IOException;

    /** Removes the limit of a group. */
    abstract void lift(Path group) throws IOException;

    /** Writes a control file in one call, as the kernel requires. */
    static void write(Path file, String value) throws IOException {
        Files.writeString(file, value);
    }
}
