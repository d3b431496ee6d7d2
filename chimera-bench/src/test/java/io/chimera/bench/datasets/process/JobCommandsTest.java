package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs of an installation without any class: each one fails. */
final class JobCommandsTest {
    @TempDir
    private Path home;

    private final JobCommands.Order order =
            new JobCommands.Order(new JobText(EventKind.EVENTS, List.of("a"), 1), "http://127.0.0.1:1/", 0);
    private JobCommands commands;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectories(home.resolve("chimera-node/target/lib"));
        Files.createDirectories(home.resolve("chimera-bench/target/classes"));
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/jvm.options"), "");
        Files.writeString(home.resolve("conf/jvm-23plus.options"), "");
        commands = new JobCommands(new BenchSite(new ChimeraHome(home), home.resolve("bench"), true, line -> {}));
    }

    @ParameterizedTest
    @EnumSource
    void aJobThatFailsWithAnyStrategyIsAFailure(StrategyWish strategy) {
        assertThatThrownBy(() -> commands.run(order, strategy))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 1")
                .hasMessageContaining("Main");
    }

    @Test
    void furtherFlagsKeepEarlierFlags() {
        Path first = home.resolve("first.log");
        Path second = home.resolve("second.log");
        JobCommands logging = commands.with(List.of("-Xlog:gc:file=" + first))
                .onCore(0)
                .with(List.of("-Xlog:safepoint:file=" + second));

        assertThatThrownBy(() -> logging.plan(order)).hasMessageContaining("exit code 1");
        assertThat(first).exists();
        assertThat(second).exists();
    }

    @Test
    void aPlanThatFailsIsAFailure() {
        assertThatThrownBy(() -> commands.plan(order)).hasMessageContaining("exit code 1");
    }
}
