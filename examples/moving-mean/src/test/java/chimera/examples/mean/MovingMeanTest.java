package chimera.examples.mean;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MovingMeanTest extends TransformContract {
    @Override
    protected TransformType type() {
        return new MovingMean();
    }

    @Override
    protected Record settings() {
        return new MovingMean.Settings("value", Duration.ofSeconds(10), 100);
    }

    private static KitPoint cpu(long second, double value) {
        return KitPoint.of("cpu", second * 1_000_000_000L).tag("host", "a").field("value", value);
    }

    @Override
    protected List<KitPoint> points() {
        return List.of(cpu(100, 1), cpu(105, 3), cpu(120, 8), cpu(121, 10));
    }

    @Override
    protected List<Runnable> badSettings() {
        return List.of(
                () -> new MovingMean.Settings("value", Duration.ZERO, 1),
                () -> new MovingMean.Settings("value", Duration.ofSeconds(1), 0));
    }

    @Test
    void isTheMeanOfTheWindow() {
        assertEquals(
                List.of(
                        "0: cpu{host=a}{value_mean=1.0}@100000000000",
                        "0: cpu{host=a}{value_mean=2.0}@105000000000",
                        "0: cpu{host=a}{value_mean=8.0}@120000000000",
                        "0: cpu{host=a}{value_mean=9.0}@121000000000"),
                emitted());
    }
}
