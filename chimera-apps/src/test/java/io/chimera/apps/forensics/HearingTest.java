package io.chimera.apps.forensics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HearingTest {
    private static final int ANSWERS_MAX = 3;

    private final Clock clock = new SystemClock();

    @TempDir
    private Path folder;

    private Volume volume;
    private Hearing hearing;

    @BeforeEach
    void record() {
        volume = RecordedVolume.in(folder, clock, new Counters<>(ArchiveCounter.class));
        hearing = new Hearing(List.of(new VolumeWitness("gateway", volume)), Runnable::run, clock, ANSWERS_MAX);
        hearing.begin();
    }

    @AfterEach
    void close() {
        volume.close();
    }

    @Test
    void answersUpToItsBound() {
        assertThat(hearing.ask("udp", Long.MIN_VALUE, Long.MAX_VALUE, ANSWERS_MAX))
                .hasSizeBetween(1, ANSWERS_MAX);
    }

    @Test
    void refusesToGoOnWithoutTheLastOfTooManyAnswers() {
        assertThatThrownBy(() -> hearing.ask("udp", 0, Long.MAX_VALUE, Long.MAX_VALUE))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("More than 3 packets match 'udp'")
                .hasMessageContaining("a shorter --window");
        assertThatThrownBy(() -> hearing.ask("udp", Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("archives with less history");
    }
}
