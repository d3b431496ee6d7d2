package io.chimera.processor.staging.sketch;

import org.apache.datasketches.memory.Memory;

/**
 * Loads the memory classes of DataSketches on every JVM (ADR 52). Version 3 of these classes is the last version for
 * Java 17. The classes work on newer JVMs, but refuse to load when the system property {@code java.version} names a
 * release after 21.
 */
final class SketchMemory {
    private static final String PROPERTY = "java.version";

    /** Newest release that the library accepts. */
    private static final int NEWEST_ACCEPTED = 21;

    static {
        String actual = System.getProperty(PROPERTY);
        if (Runtime.version().feature() > NEWEST_ACCEPTED) {
            System.setProperty(PROPERTY, Integer.toString(NEWEST_ACCEPTED));
        }
        try {
            Memory.wrap(new byte[Long.BYTES]);
        } finally {
            System.setProperty(PROPERTY, actual);
        }
    }

    private SketchMemory() {}

    /** Loads the classes; without effect after the first call. */
    static void load() {
        // The static initializer of this class did it.
    }
}
