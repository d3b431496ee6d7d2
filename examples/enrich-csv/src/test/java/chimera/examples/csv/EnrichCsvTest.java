package chimera.examples.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.spi.TransformType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EnrichCsvTest extends TransformContract {
    @TempDir
    Path folder;

    @Override
    protected TransformType type() {
        return new EnrichCsv();
    }

    @Override
    protected Record settings() {
        try {
            Path file = folder.resolve("hosts.csv");
            Files.writeString(file, "host, rack, room\na, r1, cellar\nb, r2, \n");
            return new EnrichCsv.Settings(file, "host");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected List<KitPoint> points() {
        return List.of(
                KitPoint.of("cpu", 1_000_000_000L).tag("host", "a").field("value", 1.5),
                KitPoint.of("cpu", 2_000_000_000L).tag("host", "b").field("value", 3),
                KitPoint.of("cpu", 3_000_000_000L).tag("host", "c").field("state", "up"));
    }

    @Override
    protected List<Runnable> badSettings() {
        return List.of(
                () -> new EnrichCsv.Settings(null, "host"), () -> new EnrichCsv.Settings(Path.of("x"), null));
    }

    @Test
    void addsTheOtherColumnsAsTags() {
        assertEquals(
                List.of(
                        "0: cpu{host=a, rack=r1, room=cellar}{value=1.5}@1000000000",
                        "0: cpu{host=b, rack=r2}{value=3}@2000000000",
                        "1: cpu{host=c}{state=up}@3000000000"),
                emitted());
    }
}
