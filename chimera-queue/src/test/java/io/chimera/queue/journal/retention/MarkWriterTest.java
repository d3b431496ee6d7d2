package io.chimera.queue.journal.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.common.cluster.Positions;
import io.chimera.queue.journal.folder.LowWaterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MarkWriterTest {
    private static final Positions FIRST = Positions.of(1, 10);
    private static final Positions SECOND = Positions.of(1, 20);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private final Deque<Runnable> chores = new ArrayDeque<>();

    @Test
    void showsAMarkOnlyWhenItStandsInTheFile() throws IOException {
        MarkWriter marks = marks(folder);

        assertThat(marks.wants(FIRST)).isTrue();
        marks.write(FIRST, () -> {});

        assertThat(marks.takeWritten()).isNull();
        assertThat(new LowWaterFile(folder).read()).contains(Positions.NONE);
        chores.remove().run();
        assertThat(marks.takeWritten()).isEqualTo(FIRST);
        assertThat(new LowWaterFile(folder).read()).contains(FIRST);
        assertThat(marks.takeWritten()).isNull();
        assertThat(marks.wants(FIRST)).isFalse();
    }

    @Test
    void writesOneAfterTheOther() {
        MarkWriter marks = marks(folder);
        marks.write(FIRST, () -> {});

        assertThat(marks.wants(SECOND)).isFalse();
        chores.remove().run();
        assertThat(marks.wants(SECOND)).isFalse(); // the first mark has not been taken yet
        marks.takeWritten();
        assertThat(marks.wants(SECOND)).isTrue();
    }

    @Test
    void leavesADiskAloneForASecondThatRefused() throws IOException {
        Path missing = folder.resolve("missing");
        MarkWriter marks = marks(missing);
        marks.write(FIRST, () -> {});
        chores.remove().run();

        assertThat(marks.takeWritten()).isNull();
        clock.advance(Duration.ofMillis(999));
        assertThat(marks.wants(FIRST)).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(marks.wants(FIRST)).isTrue();

        Files.createDirectory(missing);
        marks.write(FIRST, () -> {});
        chores.remove().run();
        assertThat(marks.takeWritten()).isEqualTo(FIRST);
    }

    @Test
    void countsWhatIsThrownAsAFailure() {
        MarkWriter marks = marks(folder);
        marks.write(FIRST, () -> {
            throw new IllegalStateException();
        });

        try {
            chores.remove().run();
        } catch (IllegalStateException e) {
            // the chores' thread reports the exception
        }

        assertThat(marks.takeWritten()).isNull();
        clock.advance(Duration.ofSeconds(1));
        assertThat(marks.wants(FIRST)).isTrue();
    }

    private MarkWriter marks(Path directory) {
        return new MarkWriter(new LowWaterFile(directory), Positions.NONE, chores::add, clock);
    }
}
