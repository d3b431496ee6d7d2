package io.chimera.node.child;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;

/**
 * Runs KairosDB's main class in a process that ends with the parent process: the process exits at the end of standard
 * input, for whatever reason. Part of KairosDB's class path, so the class may use only the JDK.
 */
public final class KairosGuard {
    private KairosGuard() {}

    /** Starts KairosDB with the given arguments. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        Thread watch = new Thread(KairosGuard::exitWithParent, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            Class.forName("org.kairosdb.core.Main")
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            System.exit(1);
        }
    }

    private static void exitWithParent() {
        byte[] ignored = new byte[64];
        try {
            int read = 0;
            while (read >= 0) {
                read = System.in.read(ignored);
            }
        } catch (IOException e) {
            System.err.println("Standard input broke: " + e.getMessage());
        }
        System.exit(0);
    }
}
