package io.chimera.common.composition.block;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.spi.NoSettings;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/** Plugin contract tests of the built-in block types. */
final class BuiltInBlocksKitTest {
    private static final List<KitPoint> POINTS = List.of(
            KitPoint.of("cpu", 1_000_000_000L).tag("host", "a1").field("value", 1.5),
            KitPoint.of("cpu", 2_000_000_000L).tag("host", "b2").field("value", 3),
            KitPoint.of("disk", 3_000_000_000L).tag("host", "a1").field("value", "full"),
            KitPoint.of("disk", 3_000_000_000L).field("used", true));

    private abstract static class BuiltIn extends TransformContract {
        private final Supplier<TransformType> maker;
        private final Record settings;
        private final List<Runnable> badSettings;

        BuiltIn(Supplier<TransformType> maker, Record settings, Runnable... badSettings) {
            this.maker = maker;
            this.settings = settings;
            this.badSettings = List.of(badSettings);
        }

        @Override
        protected TransformType type() {
            return maker.get();
        }

        @Override
        protected Record settings() {
            return settings;
        }

        @Override
        protected List<KitPoint> points() {
            return POINTS;
        }

        @Override
        protected List<Runnable> badSettings() {
            return badSettings;
        }
    }

    @Nested
    final class Copy extends BuiltIn {
        Copy() {
            super(CopyType::new, new NoSettings());
        }
    }

    @Nested
    final class Keep extends BuiltIn {
        Keep() {
            super(
                    FilterType::keep,
                    new FilterType.Settings("c*", Map.of("host", "*1")),
                    () -> new FilterType.Settings(null, null),
                    () -> new FilterType.Settings("*", Map.of()));
        }
    }

    @Nested
    final class Drop extends BuiltIn {
        Drop() {
            super(FilterType::drop, new FilterType.Settings("disk", null));
        }
    }

    @Nested
    final class Increase extends BuiltIn {
        Increase() {
            super(
                    IncreaseType::new,
                    new IncreaseType.Settings(Duration.ofMinutes(1), "value"),
                    () -> new IncreaseType.Settings(Duration.ZERO, null),
                    () -> new IncreaseType.Settings(null, "last"));
        }

        @Override
        protected List<KitPoint> points() {
            return List.of(
                    KitPoint.of("cpu", 1_000_000_000L).tag("host", "a1").field("total", 5),
                    KitPoint.of("cpu", 2_000_000_000L).tag("host", "b2").field("total", 3.5),
                    KitPoint.of("cpu", 3_000_000_000L).tag("host", "a1").field("total", 9),
                    KitPoint.of("cpu", 3_000_000_000L).field("value", 1));
        }
    }

    @Nested
    final class Rename extends BuiltIn {
        Rename() {
            super(
                    RenameType::new,
                    new RenameType.Settings(Map.of("cpu", "load"), Map.of("host", "node"), Map.of("value", "v")),
                    () -> new RenameType.Settings(null, null, null));
        }
    }

    @Nested
    final class Threshold extends BuiltIn {
        Threshold() {
            super(
                    ThresholdType::new,
                    new ThresholdType.Settings("value", 2),
                    () -> new ThresholdType.Settings(null, 1),
                    () -> new ThresholdType.Settings("", 1));
        }
    }
}
