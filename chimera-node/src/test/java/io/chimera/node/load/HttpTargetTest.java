package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class HttpTargetTest {
    private static final byte[] BATCH = "cpu v=1\ncpu v=2\n".getBytes(StandardCharsets.UTF_8);

    private final FakeInput input = new FakeInput();
    private final AtomicLong retries = new AtomicLong();

    @AfterEach
    void close() {
        input.close();
    }

    @Test
    void sendsOnceWhatIsTaken() throws Exception {
        assertThat(target(1_000).send(BATCH)).isZero();
        assertThat(input.taken()).containsExactly("cpu v=1\ncpu v=2\n");
        assertThat(retries).hasValue(0);
    }

    @Test
    void sendsAgainWhatFoundNoRoom() throws Exception {
        input.answer(503, "0", "full").answer(429, null, "full");

        assertThat(target(5_000).send(BATCH)).isZero();
        assertThat(input.taken()).hasSize(1);
        assertThat(retries).hasValue(2);
    }

    @Test
    void givesUpWhenItsPatienceEnds() {
        input.answer(503, "60", "The journal is full.\n");

        assertThatThrownBy(() -> target(500).send(BATCH))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is overloaded (503): The journal is full.");
    }

    @Test
    void countsWhatIsRefused() throws Exception {
        input.answer(400, null, "{\"error\":\"partial write: unable to parse 'x' dropped=2\"}");
        HttpTarget target = target(1_000);

        assertThat(target.send(BATCH)).isEqualTo(2);
        assertThat(target.lastRefusal()).contains("unable to parse");
    }

    @Test
    void doesNotTryAgainWhatWillNeverBeTaken() {
        input.answer(404, null, "There is no /write here.");

        assertThatThrownBy(() -> target(5_000).send(BATCH))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("answered 404: There is no /write here. Check that");
        assertThat(retries).hasValue(0);
    }

    private HttpTarget target(long patienceMs) {
        return new HttpTarget(URI.create(input.url()), "text/plain", Duration.ofMillis(patienceMs), retries);
    }
}
