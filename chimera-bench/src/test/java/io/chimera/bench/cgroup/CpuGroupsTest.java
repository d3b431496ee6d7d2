package io.chimera.bench.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.cluster.BenchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a folder with files like the kernel's; unlike the kernel, the folder keeps what was written last. */
final class CpuGroupsTest {
    private static final long PID = 4_242;

    @TempDir
    Path folder;

    private Path root;

    @BeforeEach
    void createRoot() throws IOException {
        root = Files.createDirectories(folder.resolve("cgroup"));
    }

    @Test
    void findsTheHierarchyOfVersion1AmongOthers() throws IOException {
        Path mounts = mounts("""
            proc /proc proc rw,nosuid 0 0
            cgroup /sys/fs/cgroup/cpuset cgroup rw,relatime,cpuset 0 0
            cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,relatime,cpu,cpuacct 0 0
            cgroup2 %s cgroup2 rw,relatime 0 0
            """);
        Files.writeString(root.resolve("cgroup.controllers"), "hugetlb\n");

        assertThat(CgroupMount.find(mounts))
                .contains(new CgroupMount(CgroupVersion.V1, Path.of("/sys/fs/cgroup/cpu,cpuacct")));
    }

    @Test
    void findsTheHierarchyOfVersion2IfItHasTheController() throws IOException {
        Path mounts = mounts("cgroup2 %s cgroup2 rw,relatime 0 0\n");
        Files.writeString(root.resolve("cgroup.controllers"), "cpuset cpu io memory\n");

        assertThat(CgroupMount.find(mounts)).contains(new CgroupMount(CgroupVersion.V2, root));
    }

    @Test
    void limitsAndLiftsInVersion1() throws IOException {
        try (CpuGroups groups = version1()) {
            CpuGroup group = groups.create("p1");
            group.add(77);
            group.limit(10);

            assertThat(file("p1", "cgroup.procs")).isEqualTo("77");
            assertThat(file("p1", "cpu.cfs_period_us")).isEqualTo("500000");
            assertThat(file("p1", "cpu.cfs_quota_us")).isEqualTo("50000");

            group.lift();

            assertThat(file("p1", "cpu.cfs_quota_us")).isEqualTo("-1");
        }
    }

    @Test
    void limitsAndLiftsInVersion2() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu\n");
        try (CpuGroups groups = open(mounts("cgroup2 %s cgroup2 rw 0 0\n"), CpuGroupsTest::isAlive)) {
            CpuGroup group = groups.create("p1");
            group.limit(6);

            assertThat(root.resolve("cgroup.subtree_control")).hasContent("+cpu");
            assertThat(own().resolve("cgroup.subtree_control")).hasContent("+cpu");
            assertThat(file("p1", "cpu.max")).isEqualTo("30000 500000");

            group.lift();

            assertThat(file("p1", "cpu.max")).isEqualTo("max");
        }
    }

    @Test
    void readsTheThrottling() throws IOException {
        try (CpuGroups groups = version1()) {
            CpuGroup group = groups.create("p1");
            Files.writeString(own().resolve("p1/cpu.stat"), "nr_periods 3\nnr_throttled 2\nthrottled_time 1000\n");

            assertThat(group.stat()).isEqualTo(new CpuStat(3, 2, 1_000));
        }
    }

    @Test
    void closingMovesTheProcessesBackAndRemovesTheGroups() throws IOException {
        try (CpuGroups groups = version1()) {
            groups.create("p1").add(77);
            groups.create("p2");
        }

        assertThat(root.resolve("cgroup.procs")).hasContent("77");
        assertThat(own()).doesNotExist();
    }

    @Test
    void anInterruptedRemovalIsRepeated() throws IOException {
        boolean[] wasBusy = new boolean[1];
        CpuGroups groups = CpuGroups.open(version1Mounts(), PID, CpuGroupsTest::isAlive, group -> {
            if (!wasBusy[0]) {
                wasBusy[0] = true;
                throw new IOException("Device or resource busy");
            }
            BenchFolder.delete(group);
        });

        groups.close();

        assertThat(wasBusy[0]).isTrue();
        assertThat(own()).doesNotExist();
    }

    @Test
    void aClusterLeavesTheFolderToTheNextCluster() throws IOException {
        try (CpuGroups groups = version1()) {
            groups.create("p1");
            groups.removeAll();
            groups.create("p1").limit(5);

            assertThat(file("p1", "cpu.cfs_quota_us")).isEqualTo("25000");
        }
    }

    @Test
    void removesTheGroupsOfAKilledProcessOnly() throws IOException {
        Files.createDirectories(root.resolve("chimera-bench-11/p1"));
        Files.createDirectories(root.resolve("chimera-bench-12/p1"));
        Files.createDirectories(root.resolve("system.slice"));

        open(version1Mounts(), pid -> pid != 11).close();

        assertThat(root.resolve("chimera-bench-11")).doesNotExist();
        assertThat(root.resolve("chimera-bench-12/p1")).exists();
        assertThat(root.resolve("system.slice")).exists();
    }

    @Test
    void aMachineWithoutTheControllerIsRefusedWithARemedy() throws IOException {
        Path mounts = mounts("proc /proc proc rw 0 0\n");

        assertThatThrownBy(() -> open(mounts, CpuGroupsTest::isAlive))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("controller cpu")
                .hasMessageContaining("root");
    }

    @Test
    void aReadOnlyHierarchyIsRefusedWithReasonAndRemedy() throws IOException {
        Files.createFile(own()); // a folder cannot be created, not even by root

        assertThatThrownBy(this::version1)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(root.toString())
                .hasMessageContaining("writable");
    }

    private CpuGroups version1() throws IOException {
        return open(version1Mounts(), CpuGroupsTest::isAlive);
    }

    private Path version1Mounts() throws IOException {
        return mounts("cgroup %s cgroup rw,relatime,cpu 0 0\n");
    }

    private static CpuGroups open(Path mounts, LongPredicate isAlive) throws IOException {
        return CpuGroups.open(mounts, PID, isAlive, BenchFolder::delete);
    }

    private Path mounts(String text) throws IOException {
        return Files.writeString(folder.resolve("mounts"), text.replace("%s", root.toString()));
    }

    private static boolean isAlive(long pid) {
        return pid > 0;
    }

    private Path own() {
        return root.resolve("chimera-bench-" + PID);
    }

    private String file(String group, String name) throws IOException {
        return Files.readString(own().resolve(group).resolve(name));
    }
}
