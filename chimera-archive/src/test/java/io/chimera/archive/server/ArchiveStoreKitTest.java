package io.chimera.archive.server;

import io.chimera.api.kit.StoreContract;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.Store;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.server.volume.ArchiveStore;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/** Store contract for the archive. */
final class ArchiveStoreKitTest extends StoreContract {
    @TempDir
    private Path folder;

    private ArchiveStore open;

    @Override
    protected Store store() {
        open = new ArchiveStore(
                VolumeConfig.ofPoints(Sections.of(VolumeConfig.class, "size", ByteSize.ofMebibytes(32))),
                folder,
                10_000,
                Duration.ofSeconds(30),
                new SystemClock(),
                new Counters<>(ArchiveCounter.class));
        return open;
    }

    @Override
    protected Record settings() {
        return new NoSettings();
    }

    @Override
    protected List<String> stored(String metric) {
        List<String> rows = new ArrayList<>();
        try (ArchiveQuery<?> query = open.ask(Question.parse("metric=" + metric, 0))) {
            while (query.next()) {
                rows.add(((PointQuery) query).row().toString());
            }
        }
        return rows;
    }

    @Override
    protected List<Runnable> badSettings() {
        return List.of(
                () -> Sections.of(VolumeConfig.class, "devices", List.of(" ")),
                () -> Sections.of(VolumeConfig.class, "size", new ByteSize(1)),
                () -> Sections.of(VolumeConfig.class, "stream", "two words"));
    }
}
