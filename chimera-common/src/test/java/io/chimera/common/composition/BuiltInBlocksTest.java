package io.chimera.common.composition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.wire.PointBytes;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

final class BuiltInBlocksTest {
    @Test
    void keepAndDropPartPointsByMetricAndTags() {
        try (CompositionRig rig = new CompositionRig("""
                blocks:
                  k: { type: keep, metric: "cpu*", tags: { host: "*1" } }
                  d: { type: drop, from: k.rest, metric: idle }
                  in: { type: rename, from: k, metric: { cpu: kept } }
                  rest: { type: rename, from: d, metric: { cpu: left } }
                """, false)) {
            rig.give(new PointBytes("cpu").tag("host", "h1").field("v", 1L), 0);
            rig.give(new PointBytes("cpu").tag("host", "h2").field("v", 2L), 0);
            rig.give(new PointBytes("cpu").field("v", 3L), 0);
            rig.give(new PointBytes("idle").tag("host", "h1").field("v", 4L), 0);

            assertThat(rig.left).containsExactly("kept{host=h1}{v=1}0@0", "left{host=h2}{v=2}0@0", "left{}{v=3}0@0");
        }
    }

    @Test
    void thresholdPartsPointsByAField() {
        try (CompositionRig rig = new CompositionRig("""
                blocks:
                  t: { type: threshold, field: v, limit: 1.5 }
                  a: { type: rename, from: t.above, metric: { m: above } }
                  b: { type: rename, from: t.below, metric: { m: below } }
                  w: { type: rename, from: t.without, metric: { m: without } }
                """, false)) {
            rig.give(new PointBytes("m").field("v", 2L), 0);
            rig.give(new PointBytes("m").field("v", 1.5), 0);
            rig.give(new PointBytes("m").field("v", "text"), 0);
            rig.give(new PointBytes("m").field("w", 3L), 0);

            assertThat(rig.left)
                    .containsExactly(
                            "above{}{v=2}0@0", "below{}{v=1.5}0@0", "without{}{v=text}0@0", "without{}{w=3}0@0");
        }
    }

    @Test
    void renameKeepsTypesAndWhatIsNotNamed() {
        try (CompositionRig rig = new CompositionRig("""
                blocks:
                  r: { type: rename, tags: { host: node }, fields: { a: b } }
                """, false)) {
            rig.give(
                    new PointBytes("m")
                            .tag("host", "h1")
                            .tag("zone", "z")
                            .field("a", true)
                            .field("u", new BigInteger("18446744073709551615"))
                            .field("t", "text")
                            .time(5),
                    0);

            assertThat(rig.left).containsExactly("m{node=h1, zone=z}{b=true, u=18446744073709551615, t=text}5@0");
        }
    }

    @Test
    void settingsThatDoNothingAreRefused() {
        assertThatThrownBy(() -> CompositionRig.plan("blocks: { k: { type: keep } }"))
                .hasMessageContaining("every point matches");
        assertThatThrownBy(() -> CompositionRig.plan("blocks: { r: { type: rename } }"))
                .hasMessageContaining("nothing to rename");
        assertThatThrownBy(() -> CompositionRig.plan("blocks: { t: { type: threshold, limit: 1 } }"))
                .hasMessageContaining("field is missing");
    }
}
