package io.chimera.bench.archive.disk;

import io.chimera.bench.report.Work;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures the disk: the archive's store compared with the raw device and log files on XFS, all on the same loop
 * device.
 */
public final class DiskPart {
    /** Questions that can be measured separately. */
    public enum Question {
        CAPPED,
        UNCAPPED,
        UTILISATION,
        STREAMS,
        READS,
        ZONES
    }

    /** Guaranteed shares of the volume in percent. */
    static final List<Integer> UTILISATIONS = List.of(0, 70, 90);

    static final List<Integer> STREAMS = List.of(1, 8, DiskSite.STREAMS);

    static final String STORE = "_store";
    static final String RAW = "_raw";
    static final String FIO = "_fio";
    static final String XFS = "_xfs_buffered";
    static final String XFS_RANGED = "_xfs_ranged";
    static final String XFS_THREADS = "_xfs_threads";
    static final String READS = "reads_1_to_1";
    static final String NO_READS = "reads_none";
    static final String REGIONS = "zones_in_turn";
    static final String FRONT_TO_END = "zones_front_to_end";

    private static final int REGION_BLOCKS = 4;

    /** Number of measurements of each writer, in turn: the speed of an uncapped disk varies from second to second. */
    private static final int ROUNDS = 3;

    private static final double PERCENT = 100;

    private final DiskSite site;
    private final DiskResults results;
    private final DirectLoopDisk disk;
    private final long volumeBytes;

    private DiskPart(DiskSite site, DiskResults results, DirectLoopDisk disk, long volumeBytes) {
        this.site = site;
        this.results = results;
        this.disk = disk;
        this.volumeBytes = volumeBytes;
    }

    /** Measures the questions; reports and skips questions for which this machine lacks permissions or tools. */
    public static void measure(DiskSite site, Set<Question> questions, DiskResults results)
            throws InterruptedException {
        Map<Long, List<Question>> bySize = questions.stream()
                .collect(Collectors.groupingBy(
                        question -> site.volumeBytes(question == Question.CAPPED || question == Question.UNCAPPED),
                        LinkedHashMap::new,
                        Collectors.toList()));
        for (Map.Entry<Long, List<Question>> each : bySize.entrySet()) {
            measure(site, each.getKey(), each.getValue(), results);
        }
    }

    private static void measure(DiskSite site, long volumeBytes, List<Question> questions, DiskResults results)
            throws InterruptedException {
        try {
            site.requireRoom(volumeBytes);
            try (DirectLoopDisk disk = DirectLoopDisk.attach(site, volumeBytes)) {
                DiskPart part = new DiskPart(site, results, disk, volumeBytes);
                disk.touch(volumeBytes);
                for (Question question : questions) {
                    part.ask(question);
                }
            }
        } catch (IOException e) {
            results.leaveOut("the disk", e.getMessage());
        }
    }

    private void ask(Question question) throws InterruptedException {
        String name = question.name().toLowerCase(Locale.ROOT);
        site.log().accept("The disk: " + name + ".");
        boolean isCapped = question != Question.UNCAPPED && question != Question.ZONES;
        if (isCapped && !DirectLoopDisk.canCap()) {
            results.leaveOut(
                    name,
                    "this machine cannot cap speeds (needs blkio.throttle of control groups version 1, and" + " root)");
            return;
        }
        try {
            switch (question) {
                case CAPPED, UNCAPPED -> compare(name, isCapped ? DiskSite.CAP : 0);
                case UTILISATION -> utilisation();
                case STREAMS -> streams();
                case READS -> reads();
                case ZONES -> zones();
            }
        } catch (IOException e) {
            results.leaveOut(name, e.getMessage());
        }
    }

    private void compare(String name, long cap) throws IOException, InterruptedException {
        for (int round = 0; round < (cap == 0 ? ROUNDS : 1); round++) {
            add(StoreLoad.of(name + STORE, DiskSite.STREAMS, 2 * volumeBytes), cap, 0);
            capped(cap, () -> {
                try (BlockDevice device = open()) {
                    results.add(RawWriter.write(name + RAW, device, volumeBytes));
                }
            });
            attempt(
                    name + FIO,
                    cap,
                    () -> results.add(name + FIO, Fio.write(disk.device(), DeviceOptions.DEPTH_DEFAULT, volumeBytes)));
        }
        logs(name + XFS, cap, LogFiles.Kind.BUFFERED);
        logs(name + XFS_RANGED, cap, LogFiles.Kind.RANGED);
        if (!site.isQuick()) {
            logs(name + XFS_THREADS, cap, LogFiles.Kind.THREADS);
        }
    }

    private void logs(String who, long cap, LogFiles.Kind kind) throws IOException, InterruptedException {
        Path folder = disk.mountXfs();
        try {
            disk.limitCache(volumeBytes);
            attempt(who, cap, () -> results.add(LogFiles.write(who, kind, site, folder, volumeBytes)));
        } finally {
            disk.unmount();
        }
    }

    private void utilisation() throws IOException, InterruptedException {
        for (int percent : UTILISATIONS) {
            StoreLoad load = StoreLoad.of("utilisation_" + percent, DiskSite.STREAMS, volumeBytes);
            add(load.withUtilisation(percent / PERCENT), DiskSite.CAP, volumeBytes);
        }
    }

    private void streams() throws IOException, InterruptedException {
        for (int streams : STREAMS) {
            add(StoreLoad.of("streams_" + streams, streams, volumeBytes), DiskSite.CAP, 0);
        }
    }

    private void reads() throws IOException, InterruptedException {
        add(StoreLoad.of(NO_READS, DiskSite.STREAMS, volumeBytes), DiskSite.CAP, 0);
        add(StoreLoad.of(READS, DiskSite.STREAMS, volumeBytes).withReads(), DiskSite.CAP, 0);
    }

    private void zones() throws IOException, InterruptedException {
        // A second must be a small part of the disk.
        double outer = site.isQuick() ? DiskSite.CAP / 2.0 : DiskSite.CAP;
        for (StoreLoad load : List.of(
                StoreLoad.of(FRONT_TO_END, DiskSite.STREAMS, volumeBytes),
                StoreLoad.of(REGIONS, DiskSite.STREAMS, volumeBytes).withRegions(REGION_BLOCKS))) {
            ZonedDevice device = new ZonedDevice(open(), outer);
            Pace accepted = StoreWriter.write(load, device, 0, device::begin);
            results.add(accepted.asWritten(device.taken(), load.bytes()));
        }
    }

    /** Writes an empty volume; the cap begins after the fill. */
    private void add(StoreLoad load, long cap, long fillBytes) throws IOException, InterruptedException {
        try {
            results.add(StoreWriter.write(load, open(), fillBytes, () -> disk.cap(cap)));
        } finally {
            disk.cap(0);
        }
    }

    private void attempt(String who, long cap, Work work) throws IOException, InterruptedException {
        try {
            capped(cap, work);
        } catch (IOException e) {
            results.leaveOut(who, e.getMessage());
        }
    }

    private void capped(long cap, Work work) throws IOException, InterruptedException {
        if (cap == 0) {
            work.run();
            return;
        }
        disk.cap(cap);
        try {
            work.run();
        } finally {
            disk.cap(0);
        }
    }

    private BlockDevice open() {
        return BlockDevices.open(disk.device(), DeviceOptions.existing());
    }
}
