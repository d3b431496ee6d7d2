package io.chimera.archive.server.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.packet.PacketArchive;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecordedSourceTest {
    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    private static Set<Thread> indexing() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("archive-index"))
                .collect(Collectors.toSet());
    }

    @Test
    void aCaptureThatCannotBeOpenedLeavesNoThreadThatIndexes() {
        try (Volume volume = RecordedVolume.in(folder, clock, counters)) {
            Set<Thread> before = indexing();
            PacketArchive archive =
                    new PacketArchive(volume.store(), ArchiveSettings.of("packets", 0), clock, counters, true);
            List<CaptureOptions> captures = List.of(CaptureOptions.of("file:" + folder.resolve("none.pcap")));
            assertThatThrownBy(() -> new RecordedSource(captures, archive, counters))
                    .isInstanceOf(CaptureException.class);
            assertThat(before).containsAll(indexing());
        }
    }
}
