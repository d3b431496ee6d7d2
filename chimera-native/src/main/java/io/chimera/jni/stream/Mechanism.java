package io.chimera.jni.stream;

/** How a device is written. */
public enum Mechanism {
    /** The first of the others that this machine has. */
    BEST,

    /** Several writes in flight at once, through a ring that is shared with the kernel. */
    IO_URING,

    /** Natively, one write after the other, each done when it is submitted. */
    PWRITE,

    /** As PWRITE by the classes of the JDK, with a copy of what is written and read; flushes, too, are done at once. */
    JAVA
}
