package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs tools of the operating system: ip, nft, mount, mkfs. */
final class HostCommand {
    private static final long SECONDS_MAX = 300;

    private HostCommand() {}

    /**
     * Runs a command and waits for the end.
     *
     * @return the printed text
     * @throws ChimeraException when the command cannot be run or fails; contains the printed text
     */
    static String run(String... command) throws InterruptedException {
        return run(List.of(command));
    }

    /** Runs a command and waits for the end. */
    static String run(List<String> command) throws InterruptedException {
        String line = String.join(" ", command);
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new ChimeraException(Category.FATAL, "'" + line + "' did not end within " + SECONDS_MAX + " s.");
            }
            if (process.exitValue() != 0) {
                throw new ChimeraException(
                        Category.FATAL, "'" + line + "' failed (" + process.exitValue() + "): " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new ChimeraException(Category.FATAL, "'" + line + "' cannot be run: " + e.getMessage() + ".", e);
        }
    }
}
