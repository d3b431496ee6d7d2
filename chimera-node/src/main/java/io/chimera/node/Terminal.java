package io.chimera.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The terminal of a command. */
public final class Terminal {
    private Terminal() {}

    /**
     * Returns whether standard error is a terminal. System.console() is no substitute: it also depends on standard
     * input, and is never null since JDK 22.
     */
    public static boolean isStandardError() {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty");
        } catch (IOException e) {
            return false;
        }
    }
}
