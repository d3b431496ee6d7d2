package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LoadRunTest {
    private final List<String> batches = new CopyOnWriteArrayList<>();

    @Test
    void dividesTheSeriesAmongItsConnectionsAndSendsEachInOrder() throws InterruptedException {
        LoadPlan plan = new LoadPlan(10, 1_000_000, Duration.ofMillis(10), 3);

        LoadRun.Result result = new LoadRun(plan, PointFormat.INFLUX).send(3, (number, retries) -> keep(), 0, false);

        List<String> lines = batches.stream().flatMap(String::lines).toList();
        assertThat(result.points()).isEqualTo(10_000).isEqualTo(lines.size());
        assertThat(result.valueSum()).isEqualTo(plan.sum());
        for (int i = 0; i < 10; i++) {
            String tag = "series=s" + i + " ";
            List<Long> values = lines.stream()
                    .filter(line -> line.contains(tag))
                    .map(line -> Long.valueOf(line.replaceAll(".*value=(\\d+)\\.0 .*", "$1")))
                    .toList();
            assertThat(values)
                    .hasSize(1_000)
                    .isSorted()
                    .startsWith(plan.baseOf(i))
                    .endsWith(plan.baseOf(i) + 999);
        }
    }

    @Test
    void keepsToItsRate() throws InterruptedException {
        LoadPlan plan = new LoadPlan(5, 2_000, Duration.ofMillis(300), 1);

        LoadRun.Result result = new LoadRun(plan, PointFormat.INFLUX).send(1, (number, retries) -> keep(), 0, true);

        assertThat(result.points()).isEqualTo(600);
        assertThat(result.seconds()).isGreaterThan(0.28);
        assertThat(batches).hasSizeGreaterThan(3); // spread over the time, not in one piece
    }

    @Test
    void endsEarlyWhenAsked() throws InterruptedException {
        LoadRun run = new LoadRun(new LoadPlan(5, 1_000, Duration.ofDays(1), 1), PointFormat.INFLUX);

        LoadRun.Result result = run.send(
                1,
                (number, retries) -> batch -> {
                    run.stop();
                    return 0;
                },
                0,
                true);

        assertThat(result.points()).isBetween(1L, 5_000L);
    }

    @Test
    void tellsWhyItEndedEarly() {
        LoadRun run = new LoadRun(new LoadPlan(5, 1_000, Duration.ofSeconds(1), 1), PointFormat.INFLUX);

        assertThatThrownBy(() -> run.send(
                        1,
                        (number, retries) -> batch -> {
                            throw new IOException("Connection reset");
                        },
                        0,
                        false))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("Connection reset");
    }

    @Test
    void knowsWhatWasSentBeforeItFailed() {
        LoadRun run = new LoadRun(new LoadPlan(5, 100_000, Duration.ofSeconds(1), 1), PointFormat.INFLUX);
        AtomicLong sends = new AtomicLong();

        assertThatThrownBy(() -> run.send(
                        1,
                        (number, retries) -> batch -> {
                            if (sends.incrementAndGet() == 4) {
                                throw new IOException("Connection reset");
                            }
                            return 7;
                        },
                        0,
                        false))
                .isInstanceOf(ChimeraException.class);

        LoadRun.Result result = run.result();
        assertThat(result.points()).isEqualTo(15_000);
        assertThat(result.batches()).isEqualTo(3);
        assertThat(result.refused()).isEqualTo(21);
        LoadPlan plan = new LoadPlan(5, 15_000, Duration.ofSeconds(1), 1);
        assertThat(result.valueSum()).as("of the batches that were answered").isEqualTo(plan.sum());
        assertThat(run.unanswered()).isEqualTo(5_000);
    }

    private LoadTarget keep() {
        return batch -> {
            batches.add(new String(batch, StandardCharsets.UTF_8));
            return 0;
        };
    }

    @Test
    void neverSendsADatagramThatIsTooLong() throws IOException {
        StringBuilder text = new StringBuilder();
        try (DatagramTarget target = new DatagramTarget(new Endpoint("127.0.0.1", 9))) {
            for (int i = 0; i < target.batchPointsMax(); i++) {
                PointFormat.INFLUX.append(text, 9_999_999, 9_999_999_999L, 1_999_999_999_999_999_999L);
            }
        }

        assertThat(PointFormat.INFLUX.finish(text)).hasSizeLessThanOrEqualTo(1_472);
    }
}
