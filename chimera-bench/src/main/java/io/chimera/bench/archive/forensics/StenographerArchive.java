package io.chimera.bench.archive.forensics;

import io.chimera.bench.archive.peers.Stenographer;
import io.chimera.bench.archive.peers.StenographerProcess;
import io.chimera.bench.capture.VethWire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Recordings of several monitors by stenographer, and a stenographer for queries over all recordings: stenographer
 * reads the files of all monitors in parallel and merges the packets by time. Each file covers one minute.
 */
final class StenographerArchive implements AutoCloseable {
    static final int PORT = 1235;
    static final String PASSWORD = "bench";

    /** Packet rate of one core without loss. */
    private static final long RATE = 100_000;

    /** Time after which an incomplete block is written; stenotype writes such a block within a second. */
    private static final long WRITTEN_MS = 1_300;

    private static final int RING_MIB = 2;
    private static final int MINUTE_S = 60;

    /** Replacement for stenotype, without recording, which runs until the end. */
    private static final String STENOTYPE = """
            #!/bin/sh
            echo 'starting to process packets' >&2
            exec sleep infinity
            """;

    private final Path folder;
    private final List<Path> stores = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private StenographerProcess process;

    StenographerArchive(Path folder) throws IOException {
        this.folder = BenchFolder.emptied(folder);
    }

    /** Records the packets of a monitor minute by minute, at full speed, with one file per minute. */
    void record(VethWire wire, Path pcap, long packets) throws IOException, InterruptedException {
        Path store = folder.resolve("store-" + stores.size());
        try (Stenographer stenographer = Stenographer.start(folder.resolve("recorder"), wire, 1, 1)) {
            List<Path> minutes = MinuteCaptures.cut(pcap, folder);
            Stenographer.Recorded recorded = stenographer.record(
                    () -> {
                        for (Path minute : minutes) {
                            stenographer.awaitNextFile();
                            wire.send(minute, RATE);
                            Thread.sleep(WRITTEN_MS);
                        }
                    },
                    packets);
            if (recorded.packets() != packets) {
                throw new IOException(
                        "stenographer recorded %,d of %,d packets and dropped %,d: nothing can be compared"
                                .formatted(recorded.packets(), packets, recorded.dropped()));
            }
            files.addAll(RetimedFiles.copy(folder.resolve("recorder"), store, pcap));
        }
        stores.add(store);
    }

    /** Starts the stenographer that answers queries. */
    void serve() throws IOException, InterruptedException {
        Path stenotype = Files.writeString(folder.resolve("stenotype"), STENOTYPE);
        Files.setPosixFilePermissions(stenotype, PosixFilePermissions.fromString("rwxr-xr-x"));
        process = StenographerProcess.start(
                new StenographerProcess.Setup(
                        folder, stores, stenotype.toString(), PORT, MINUTE_S, MINUTE_S, RING_MIB, 1),
                command -> command);
        process.awaitLog(log ->
                log.lines().filter(line -> line.contains("Blockfile opening")).count() >= files.size());
        Path certificates = process.certificates();
        ProgramRun.run(List.of(
                ProgramRun.require("openssl"),
                "pkcs12",
                "-export",
                "-inkey",
                certificates.resolve("client_key.pem").toString(),
                "-in",
                certificates.resolve("client_cert.pem").toString(),
                "-passout",
                "pass:" + PASSWORD,
                "-out",
                certificates.resolve("client.p12").toString()));
    }

    /** Returns the number of files of all monitors. */
    int files() {
        return files.size();
    }

    /** Returns the folders of packets and indices, by monitor. */
    List<Path> stores() {
        return stores;
    }

    Path certificates() {
        return process.certificates();
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process.close();
        }
        BenchFolder.delete(folder);
    }
}
