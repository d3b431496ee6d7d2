package io.chimera.common.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Aggregator;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginGuardTest {
    @TempDir
    Path folder;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private Counters<PluginCounter> counters;
    private PluginHost host;

    @AfterEach
    void close() {
        host.close();
    }

    /** Creates the aggregator of a plugin; {@code result} is the code of its result method. */
    @SuppressWarnings("unchecked") // any state
    private Aggregator<Object> aggregator(String result, int failuresMax) throws IOException {
        PluginRegistryTest.aggregator("it", result).version("2.1").write(folder.resolve("mine/a.jar"));
        PluginRegistry registry = PluginRegistry.load(folder, PluginGuardTest.class.getClassLoader());
        host = new PluginHost(
                registry,
                Sections.of(PluginsConfig.class, "failures_max", failuresMax, "call_timeout", Duration.ofMillis(200)),
                new SystemClock(),
                errors::add,
                component -> counters = new Counters<>(PluginCounter.class));
        return (Aggregator<Object>) host.aggregator("it").orElseThrow();
    }

    @Test
    void namesThePluginThatThrows() throws IOException {
        Aggregator<Object> aggregator = aggregator("throw new IllegalStateException(\"poison\");", 10);

        assertThatThrownBy(() -> aggregator.result(aggregator.create()))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining(
                        "aggregator 'it' of plugin mine 2.1 (" + folder.resolve("mine") + ") failed in result")
                .hasMessageContaining("IllegalStateException: poison");
        assertThat(counters.get(PluginCounter.CALLS_FAILED)).isEqualTo(1);
        assertThat(errors).hasSize(1);
    }

    @Test
    void takesAnErrorForTheFailureOfThePlugin() throws IOException {
        Aggregator<Object> aggregator = aggregator("return new long[Integer.MAX_VALUE][1 << 20].length;", 10);

        assertThatThrownBy(() -> aggregator.result(aggregator.create()))
                .isInstanceOf(PluginFailure.class)
                .hasMessageContaining("OutOfMemoryError");
    }

    @Test
    void stopsACallThatWaitsAndShowsWhere() throws IOException {
        Aggregator<Object> aggregator = aggregator(
                "try { Thread.sleep(1L << 40); } catch (InterruptedException e) { throw new RuntimeException(e); }"
                        + " return 1;",
                10);

        assertThatThrownBy(() -> aggregator.result(aggregator.create())).isInstanceOf(PluginFailure.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(counters.get(PluginCounter.CALLS_STOPPED)).isEqualTo(1);
        assertThat(errors).anySatisfy(error -> assertThat(error)
                .hasMessageContaining("plugin mine 2.1")
                .hasMessageContaining("does not return from result within 200ms (plugins.call_timeout)")
                .hasMessageContaining("java.lang.Thread.sleep")
                .hasMessageContaining("p.A.result"));
    }

    @Test
    void stopsALoopWithoutEnd() throws IOException {
        Aggregator<Object> aggregator = aggregator("while (true) { state.last++; }", 10);

        assertThatThrownBy(() -> aggregator.result(aggregator.create())).isInstanceOf(PluginFailure.class);
    }

    @Test
    void stopsALoopThatSwallowsTheInterrupt() throws IOException {
        Aggregator<Object> aggregator = aggregator(
                "while (true) { try { Thread.sleep(1L << 40); } catch (Exception e) { state.last++; } }", 10);

        assertThatThrownBy(() -> aggregator.result(aggregator.create())).isInstanceOf(PluginFailure.class);
    }

    @Test
    void goesOnWithThePluginAfterACallWasStopped() throws IOException {
        Aggregator<Object> aggregator =
                aggregator("while (state.last == 7) { Thread.onSpinWait(); } return state.last;", 10);
        Object state = aggregator.create();
        aggregator.fold(state, 7, 0);

        assertThatThrownBy(() -> aggregator.result(state)).isInstanceOf(PluginFailure.class);

        aggregator.fold(state, 8, 0);
        assertThat(aggregator.result(state)).isEqualTo(8);
        assertThat(host.troubles()).isEmpty();
    }

    @Test
    void quarantinesAfterTheLimitAndSaysSo() throws IOException {
        Aggregator<Object> aggregator = aggregator("throw new IllegalStateException(\"poison\");", 3);
        Object state = aggregator.create();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> aggregator.result(state)).isInstanceOf(PluginFailure.class);
        }

        assertThat(aggregator.result(state)).isNaN();
        assertThatCode(() -> aggregator.fold(state, 1, 0)).doesNotThrowAnyException();
        assertThat(counters.get(PluginCounter.QUARANTINES)).isEqualTo(1);
        assertThat(host.troubles())
                .singleElement()
                .asString()
                .contains("mine 2.1")
                .contains("quarantined after 3 failures");
    }
}
