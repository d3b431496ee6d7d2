package io.chimera.node.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.error.ChimeraException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildProcessTest {
    @TempDir
    Path folder;

    @Test
    void endsWithItsInput() throws InterruptedException {
        ChildProcess child = start("echo started; cat > /dev/null");
        child.awaitReady(() -> child.logEnd().contains("started"));
        assertThat(child.isAlive()).isTrue();

        child.close();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void tellsTheEndOfTheLogOfWhatDoesNotStart() {
        ChildProcess child = start("for i in 1 2 3 4 5 6 7; do echo line $i; done; echo Port 1 is taken. >&2; exit 3");

        assertThatThrownBy(() -> child.awaitReady(() -> false))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("The test ended with exit code 3 during its start")
                .hasMessageContaining("line 4")
                .hasMessageContaining("Port 1 is taken.")
                .hasMessageNotContaining("line 3");
    }

    @Test
    void returnsTheNewestWarningOfTheLog() throws InterruptedException {
        ChildProcess child =
                start("echo 1 WARN [main] old; echo 2 ERROR [main] new; echo 3 INFO [main] fine; cat > /dev/null");
        child.awaitReady(() -> child.logEnd().size() == 3);

        assertThat(child.lastWarning()).contains("2 ERROR [main] new");
    }

    @Test
    void killsAsACrashDoes() throws InterruptedException {
        ChildProcess child = start("trap '' TERM; echo started; cat > /dev/null; sleep 60");
        child.awaitReady(() -> child.logEnd().contains("started"));

        child.kill();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void killsWhatIsPaused() throws InterruptedException {
        ChildProcess child = start("echo started; cat > /dev/null");
        child.awaitReady(() -> child.logEnd().contains("started"));

        child.pause();
        assertThat(child.isAlive()).isTrue();
        child.kill();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void goesOnAfterAPause() throws InterruptedException {
        ChildProcess child = start("echo started; cat > /dev/null");
        child.awaitReady(() -> child.logEnd().contains("started"));

        child.pause();
        child.resume();
        child.close();

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void saysWhatCannotBeStarted() {
        assertThatThrownBy(() ->
                        ChildProcess.start("The test", List.of("/no/such/program"), folder, folder.resolve("log")))
                .isInstanceOf(ChimeraException.class)
                .hasMessageStartingWith("The test cannot be started: ");
    }

    private ChildProcess start(String script) {
        return ChildProcess.start("The test", List.of("sh", "-c", script), folder, folder.resolve("log"));
    }
}
