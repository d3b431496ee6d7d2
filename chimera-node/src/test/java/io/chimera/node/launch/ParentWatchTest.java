package io.chimera.node.launch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ParentWatchTest {
    @Test
    void hearsTheEndOfTheParentAndNothingBefore() throws IOException, InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        try (PipedOutputStream parent = new PipedOutputStream()) {
            ParentWatch.start(new PipedInputStream(parent), gone::countDown);
            parent.write(new byte[1_000]);
            parent.flush();
            assertThat(gone.await(50, TimeUnit.MILLISECONDS)).isFalse();
        }

        assertThat(gone.await(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    }
}
