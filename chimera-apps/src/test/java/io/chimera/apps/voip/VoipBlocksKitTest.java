package io.chimera.apps.voip;

import io.chimera.api.kit.KitPoint;
import io.chimera.api.kit.TransformContract;
import io.chimera.api.spi.TransformType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;

/** Block contract for the block of VoIPSTREAM. */
final class VoipBlocksKitTest {
    @Nested
    final class Score extends TransformContract {
        @Override
        protected TransformType type() {
            return new VoipScore();
        }

        @Override
        protected Record settings() {
            return new VoipSettings(Duration.ofMinutes(1), 64, 64, null, null, 0.2);
        }

        private static KitPoint call(long second, String caller, String callee) {
            return KitPoint.of(CallText.METRIC, second * 1_000_000_000L)
                    .tag("switch", "s1")
                    .field(CallText.CALLER, caller)
                    .field(CallText.CALLEE, callee)
                    .field(CallText.DURATION, 5)
                    .field(CallText.CODE, 200);
        }

        @Override
        protected List<KitPoint> points() {
            return List.of(
                    call(100, "anna", "bert"),
                    call(101, "anna", "carl"),
                    call(102, "carl", "anna").by(1),
                    call(103, "anna", ""),
                    call(110, "anna", "bert"),
                    KitPoint.of("cpu", 111_000_000_000L).field("value", 1),
                    call(140, "anna", "dora"));
        }

        @Override
        protected List<Runnable> badSettings() {
            return List.of(
                    () -> new VoipSettings(Duration.ZERO, null, null, null, null, null),
                    () -> new VoipSettings(null, 65, null, null, null, null),
                    () -> new VoipSettings(null, null, 1, null, null, null),
                    () -> new VoipSettings(null, null, null, 0.0, null, null));
        }
    }
}
