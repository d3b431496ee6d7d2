package io.chimera.node.dataset.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.PlanCodec;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Packing of plans, and plans that are too long. */
final class PlanPartsTest {
    private static final JobPlan PLAN = new JobPlan(
            "d",
            64L << 20,
            IntStream.range(0, 1_000)
                    .mapToObj(number -> new Split(
                            number,
                            new DataObject("o" + number, 100, new ObjectVersion("1", Checksum.NONE)),
                            new ByteRange(0, 100)))
                    .toList());

    @Test
    void aPackedPlanIsReadAgain() throws IOException {
        PlanParts.PackedPlan packed = PlanParts.pack(PLAN);

        byte[] text = new GZIPInputStream(new ByteArrayInputStream(packed.bytes())).readAllBytes();
        assertThat(text).hasSize(packed.length());
        assertThat(PlanCodec.decode(text)).isEqualTo(PLAN);
    }

    /** A {@code BoardException} would be tried again for ever. */
    @Test
    void aPlanThatIsTooLongEndsTheJob() {
        assertThatThrownBy(() -> PlanParts.pack(PLAN, 1_000, 1 << 20))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("1000 splits", "1000 bytes", "larger split", "several jobs");
        assertThatThrownBy(() -> PlanParts.pack(PLAN, 1 << 20, 1_000))
                .isInstanceOf(JobException.class)
                .hasMessageContainingAll("1000 splits", "larger split");
    }
}
