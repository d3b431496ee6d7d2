package io.chimera.bench.datasets.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeadlineProcessTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @FunctionalInterface
    private interface Ending {
        void end(DeadlineProcess process) throws IOException, InterruptedException;
    }

    @TempDir
    private Path folder;

    @Test
    void keepsTheLastLineOfOutput() throws Exception {
        try (DeadlineProcess process = start("echo one; echo two")) {
            assertThat(process.succeed(LONG)).isPositive();
            assertThat(process.lastLine()).isEqualTo("two");
        }
    }

    @Test
    void linesOfAStackTraceAreNotTheLastLine() throws Exception {
        try (DeadlineProcess process = start("printf 'failure\\n\\tat a method\\n'")) {
            process.succeed(LONG);
            assertThat(process.lastLine()).isEqualTo("failure");
        }
    }

    @Test
    void aFailureNamesProgramCodeAndOutput() throws Exception {
        try (DeadlineProcess process = start("echo no room >&2; exit 3")) {
            assertThatThrownBy(() -> process.succeed(LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("sh", "3", "no room");
        }
    }

    @Test
    void aProcessOverItsLimitIsKilled() throws Exception {
        try (DeadlineProcess process = start("exec sleep 600")) {
            assertThatThrownBy(() -> process.succeed(Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("did not end");
            assertThat(process.isAlive()).isFalse();
        }
    }

    @Test
    void killsARunningProcessAndRefusesAnEndedOne() throws Exception {
        try (DeadlineProcess process = start("exec sleep 600")) {
            assertThat(process.killAfter(0)).isPositive();
            assertThat(process.isAlive()).isFalse();
        }
        try (DeadlineProcess process = start("exit 0")) {
            assertThatThrownBy(() -> process.killAfter(60)).hasMessageContaining("before it was killed");
        }
    }

    @Test
    void waitsOnlyWhileTheProcessRuns() throws Exception {
        try (DeadlineProcess process = start("exec sleep 600")) {
            process.runUntil(0.01);
            assertThat(process.isAlive()).isTrue();
        }
        try (DeadlineProcess process = start("exit 0")) {
            assertThatThrownBy(() -> process.runUntil(60)).hasMessageContaining("before it was killed");
        }
    }

    @Test
    void aKillEndsTheChildrenToo() throws Exception {
        try (InputStream output = childThatWrites(process -> process.killAfter(0))) {
            assertThat(output.read()).isEqualTo(-1);
        }
    }

    @Test
    void closeEndsTheChildrenToo() throws Exception {
        try (InputStream output = childThatWrites(DeadlineProcess::close)) {
            assertThat(output.read()).isEqualTo(-1);
        }
    }

    /** Returns the output of a child of an ended process; the output ends when the child ends. */
    private InputStream childThatWrites(Ending ending) throws Exception {
        Path pipe = folder.resolve("pipe");
        ProgramRun.run(List.of("mkfifo", pipe.toString()));
        try (DeadlineProcess process = start("sleep 600 >pipe & wait")) {
            InputStream output = Files.newInputStream(pipe); // returns after the child has opened the pipe
            ending.end(process);
            return output;
        }
    }

    private DeadlineProcess start(String script) throws IOException {
        return DeadlineProcess.start(List.of("/bin/sh", "-c", script), folder, folder.resolve("log"));
    }
}
