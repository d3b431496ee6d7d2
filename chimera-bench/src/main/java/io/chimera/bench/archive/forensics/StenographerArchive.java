package io.chimera.bench.archive.forensics;

import io.chimera.bench.archive.peers.Stenographer;
import io.chimera.bench.archive.peers.StenographerProcess;
import io.chimera.bench.capture.Wire;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * What several monitors recorded with stenographer, and one that answers out of all of it: it looks into their files at once, and merges
 * them by time. Its files are as long as they are in a minute.
 */
final class StenographerArchive implements AutoCloseable {
    static final int PORT = 1235;
    static final String PASSWORD = "bench";

    /** What one core bears without a loss. */
    private static final long RATE = 100_000;

    /** A block that is not full is written within a second. */
    private static final long WRITTEN_MS = 1_300;

    private static final int RING_MIB = 2;
    private static final int MINUTE_S = 60;

    /** Records nothing, and is there for as long as it is wanted. */
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

    /** Records what a monitor saw: one minute after the other, as fast as it takes them, and each into a file of its own. */
    void record(Wire wire, Path pcap, long packets) throws IOException, InterruptedException {
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

    /** Answers from now on. */
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
        Tool.run(List.of(
                Tool.require("openssl"),
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

    /** Files of all monitors. */
    int files() {
        return files.size();
    }

    /** Where its packets and indices are, by monitor. */
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
