package io.chimera.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PatienceTest {
    /** Engine with an endless process. */
    private static final class Stuck implements Engine {
        private final Process process;

        Stuck() throws IOException {
            process = new ProcessBuilder("sleep", "1000").start();
        }

        @Override
        public void start() {
            // the process runs already
        }

        @Override
        public void pass() throws IOException, InterruptedException {
            throw new IOException("exit code " + process.waitFor());
        }

        @Override
        public List<Long> pids() {
            return List.of(process.pid());
        }

        @Override
        public List<Long> feederPids() {
            return List.of();
        }

        @Override
        public ResultTable finish() {
            return new ResultTable();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @TempDir
    private Path folder;

    @Test
    void endsAnEngineThatTakesTooLongAndNamesIt() throws Exception {
        try (Engine engine = new Stuck();
                EngineTimeLimit patience = new EngineTimeLimit("storm", engine, folder)) {
            assertThatThrownBy(() -> patience.within(Duration.ofSeconds(1), "end pass 2", () -> {
                        engine.pass();
                        return null;
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("storm did not end pass 2 within 1 s")
                    .hasMessageContaining("exit code");
            assertThat(folder.resolve("threads-" + engine.pids().get(0) + ".txt"))
                    .as("what jcmd says of a process that is no JVM")
                    .isNotEmptyFile();
        }
    }

    @Test
    void leavesErrorsOfAnEngineInTimeAsTheyAre() throws Exception {
        try (Engine engine = new Stuck();
                EngineTimeLimit patience = new EngineTimeLimit("storm", engine, folder)) {
            assertThatThrownBy(() -> patience.within(Duration.ofHours(1), "end pass 2", () -> {
                        throw new IOException("no room");
                    }))
                    .hasMessage("no room");
            assertThat(patience.<String>within(Duration.ofHours(1), "end", () -> "all of it"))
                    .isEqualTo("all of it");
        }
    }
}
