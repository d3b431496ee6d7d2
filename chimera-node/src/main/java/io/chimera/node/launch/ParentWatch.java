package io.chimera.node.launch;

import java.io.IOException;
import java.io.InputStream;

/**
 * Detects the death of the parent process. The parent holds the other end of standard input. When the parent ends, for
 * whatever reason, the operating system closes the pipe, and a read returns.
 */
public final class ParentWatch {
    private ParentWatch() {}

    /** Runs a callback at the end of the input. */
    public static void start(InputStream input, Runnable parentIsGone) {
        Thread thread = new Thread(
                () -> {
                    awaitEnd(input);
                    parentIsGone.run();
                },
                "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitEnd(InputStream input) {
        byte[] ignored = new byte[64];
        try {
            int read = 0;
            while (read >= 0) {
                read = input.read(ignored);
            }
        } catch (IOException e) {
            // an error means that the pipe is closed
        }
    }
}
