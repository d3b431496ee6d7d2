package io.chimera.apps.node;

import java.io.IOException;
import java.io.InputStream;

/**
 * Stops this process when its parent is gone. The parent holds the other end of standard input; when it ends, in whatever
 * way, the system closes that end and a read returns.
 */
public final class ParentWatch {
    private ParentWatch() {}

    /** Calls back when the input ends. */
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
            // a broken input is an ended one
        }
    }
}
