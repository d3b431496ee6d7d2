package io.chimera.bench.peers.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChunkReaderTest {
    private static final PointShape SHAPE = PointShape.TEN_FIELDS;
    private static final int POINTS = 2_500;

    @TempDir
    private Path folder;

    @Test
    void readersShareAllPointsAndEachSeesTimesGrow() throws IOException {
        Path file = Files.write(folder.resolve("lines"), PointText.of(SHAPE).lines(POINTS));
        PointInput input = PointInput.open(file, SHAPE.lineLength());

        int seen = 0;
        for (int i = 0; i < 2; i++) {
            ChunkReader reader = new ChunkReader(input, i, 2);
            long before = 0;
            for (Point point = reader.next(); point != null; point = reader.next()) {
                assertThat(point.timeNs).isGreaterThanOrEqualTo(before);
                before = point.timeNs;
                seen++;
            }
        }

        assertThat(seen).isEqualTo(POINTS);
    }
}
