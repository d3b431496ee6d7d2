package io.chimera.archive.server;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.packet.PacketArchive;
import io.chimera.archive.server.volume.RecordedSource;
import io.chimera.archive.server.volume.Recorder;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/** Small volume with the packets of a capture in its stream {@code packets}. */
public final class RecordedVolume {
    private static final String TRAFFIC =
            "../chimera-flow/src/test/resources/io/chimera/flow/captures/dns_fragmented.pcap";

    private RecordedVolume() {}

    /** Creates the volume and records the packets; returns the open volume. */
    public static Volume in(Path folder, Clock clock, Counters<ArchiveCounter> counters) {
        List<String> devices = List.of(folder.resolve("volume").toString());
        Volume.create(devices, 64 << 20, FormatSettings.DEFAULT, new Random(1));
        Volume volume = Volume.open(devices, clock);
        record(volume, ArchiveSettings.of("packets", 0), clock, counters);
        return volume;
    }

    /** Records the packets into an open volume. */
    public static void record(Volume volume, ArchiveSettings settings, Clock clock, Counters<ArchiveCounter> counters) {
        PacketArchive archive = new PacketArchive(volume.store(), settings, clock, counters);
        RecordedSource source = new RecordedSource(List.of(CaptureOptions.of("file:" + TRAFFIC)), archive, counters);
        try (Recorder recorder = new Recorder(volume.store(), List.of(source), clock)) {
            volume.show(recorder.streams());
            while (!recorder.isAtEnd()) {
                recorder.doWork();
            }
            while (!recorder.end()) {
                recorder.doWork();
            }
        }
    }
}
