package io.chimera.faults.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Go module with tests, fetched through the proxy of Go modules. The module cache is read-only, so the tests run in a
 * copy.
 *
 * @param name path of the module
 * @param version version of the module
 */
record GoModule(String name, String version) {
    /** Returns the reason why no Go module can be tested on this machine; empty when one can be. */
    static Optional<String> unavailable() throws InterruptedException {
        try {
            Process go = new ProcessBuilder("go", "version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return go.waitFor() == 0 ? Optional.empty() : Optional.of("the Go compiler does not run");
        } catch (IOException e) {
            return Optional.of("the suite is built from a Go module, and no Go compiler (go) is on the PATH");
        }
    }

    /** Copies the module into a folder. */
    void copyTo(Path folder) throws IOException, InterruptedException {
        Process go = new ProcessBuilder("go", "mod", "download", "-json", name + "@" + version)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String told = read(go.getInputStream());
        JsonNode module = Json.read("go mod download", told);
        if (go.waitFor() != 0 || !module.has("Dir")) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The module " + name + "@" + version + " cannot be downloaded: "
                            + module.path("Error").asText("no reason given") + "; check the network and GOPROXY.");
        }
        Path source = Path.of(module.get("Dir").asText());
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // the copy of a read-only file would be read-only
                Files.write(folder.resolve(source.relativize(file).toString()), Files.readAllBytes(file));
            }
        }
    }

    private static String read(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }

    /**
     * Runs the tests of a copy.
     *
     * @param environment additional variables
     * @param log receives the messages of the compiler
     * @param events receives the events of the tests, one JSON object each
     */
    static void test(Path folder, Map<String, String> environment, Path log, Consumer<String> events)
            throws IOException, InterruptedException {
        ProcessBuilder command = new ProcessBuilder(List.of("go", "test", "-json", "-count=1", "./..."))
                .directory(folder.toFile())
                .redirectError(log.toFile());
        command.environment().putAll(environment);
        Process go = command.start();
        try (BufferedReader lines = go.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(events);
            go.waitFor(); // the exit code repeats the events
        } finally {
            go.destroy();
        }
    }
}
