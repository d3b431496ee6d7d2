package io.chimera.jni.stream;

/** How a device is written. */
public enum Mechanism {
    /** The first of the others that this machine has. */
    BEST(0),

    /** Several writes in flight at once, through a ring that is shared with the kernel. */
    IO_URING(1),

    /** Natively, one write after the other, each done when it is submitted. */
    PWRITE(2),

    /** As PWRITE by the classes of the JDK, with a copy of what is written and read; flushes, too, are done at once. */
    JAVA(-1);

    /** {@code enum chimera_device_mechanism}; below 0: C does not know it. */
    private final int number;

    Mechanism(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
