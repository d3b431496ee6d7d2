package io.chimera.bench.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PacketTraceTest {
    private static final int PACKETS = 20_000;

    @ParameterizedTest
    @EnumSource(FileJob.class)
    void everyoneCountsTheSame(FileJob job) throws Exception {
        try (PacketTrace trace = PacketTrace.write(PACKETS)) {
            Counted loop = FlowLoop.run(trace.path(), trace.flowsMax());

            assertThat(loop.packets()).isEqualTo(PACKETS);
            assertThat(loop.flows()).isBetween(trace.flowsMax() * 9L / 10, (long) trace.flowsMax());
            assertThat(job.run(trace.path(), trace.flowsMax()).isSame(loop)).isTrue();
        }
    }

    @Test
    void theFileIsTheSameEveryTimeAndGoes() throws Exception {
        PacketTrace first = PacketTrace.write(PACKETS);
        PacketTrace second = PacketTrace.write(PACKETS);

        assertThat(Files.mismatch(first.path(), second.path())).isEqualTo(-1);
        first.close();
        second.close();
        assertThat(first.path()).doesNotExist();
    }
}
