package io.chimera.faults.chaos.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.node.ChimeraHome;
import io.chimera.node.child.ChildProcess;
import io.chimera.node.launch.ParentWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sandbox with all kinds of content: hosts, a cut, a mounted disk, a process on a host. Needs root. */
@Tag("it")
final class SandboxIT {
    @TempDir
    Path folder;

    @BeforeEach
    void needsTheTools() throws InterruptedException {
        String missing = Prerequisites.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
    }

    @Test
    void takesEverythingWithItWhenItIsClosed() throws Exception {
        Sandbox sandbox = start();
        awaitFile("ready");
        assertThat(sandbox.leftovers()).as("seen while it runs").isNotEmpty();

        sandbox.close();

        assertThat(sandbox.leftovers()).isEmpty();
        assertThat(folder.resolve("disk")).isEmptyDirectory();
    }

    @Test
    void tellsItsExitCode() throws Exception {
        Sandbox sandbox = start();
        awaitFile("ready");

        Files.createFile(folder.resolve("end"));

        assertThat(sandbox.await()).isEqualTo(7);
        assertThat(sandbox.leftovers()).isEmpty();
        assertThat(folder.resolve("full")).hasContent("0");
        assertThat(folder.resolve("freed")).content().isNotEqualTo("0");
        assertThat(folder.resolve("reached")).hasContent("true false true");
    }

    private Sandbox start() {
        return Sandbox.start(ChimeraHome.find(), folder, List.of(Inside.class.getName(), folder.toString()));
    }

    private void awaitFile(String name) throws InterruptedException {
        while (!Files.exists(folder.resolve(name))) {
            Thread.sleep(20);
        }
    }

    /** Main class inside the sandbox. */
    static final class Inside {
        private Inside() {}

        public static void main(String[] arguments) throws Exception {
            ParentWatch.start(System.in, () -> Runtime.getRuntime().halt(1));
            Path folder = Path.of(arguments[0]);
            Network network = Network.open();
            network.add("a");
            network.add("b");
            LoopDisk disk = LoopDisk.mount(folder.resolve("disk.img"), 16 << 20, folder.resolve("disk"));
            ChildProcess.start(
                    "a process",
                    network.on("a", List.of("sh", "-c", "cat > /dev/null; : " + folder)),
                    folder,
                    folder.resolve("log"));
            disk.fill();
            writeFree(folder, "full");
            disk.free();
            writeFree(folder, "freed");
            boolean before = reaches(network);
            network.cut("b", Network.Direction.IN, List.of("a"));
            boolean during = reaches(network);
            network.heal("b");
            network.unplug("b");
            network.plug("b");
            Files.writeString(folder.resolve("reached"), before + " " + during + " " + reaches(network));
            Files.createFile(folder.resolve("ready"));
            while (!Files.exists(folder.resolve("end"))) {
                Thread.sleep(20);
            }
            Runtime.getRuntime().halt(7);
        }

        private static void writeFree(Path folder, String name) throws IOException {
            long bytes = Files.getFileStore(folder.resolve("disk")).getUsableSpace();
            Files.writeString(folder.resolve(name), Long.toString(bytes));
        }

        /**
         * Returns whether host b is reachable. No process listens at b: an attempt fails at once when b is reachable,
         * and times out otherwise.
         */
        private static boolean reaches(Network network) throws InterruptedException, IOException {
            String script = "exec 3<>/dev/tcp/" + network.address("b") + "/9";
            Process process = new ProcessBuilder(network.on("a", List.of("timeout", "2", "bash", "-c", script)))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 1;
        }
    }
}
