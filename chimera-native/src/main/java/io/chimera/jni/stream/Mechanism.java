package io.chimera.jni.stream;

/** Write mechanism of a device. */
public enum Mechanism {
    /** First available mechanism in the order below. */
    BEST(0),

    /** Several writes in flight, through a ring shared with the kernel. */
    IO_URING(1),

    /** Native sequential writes, executed at submission. */
    PWRITE(2),

    /** Like PWRITE, by JDK classes, with a copy per read and write; flushes also execute at submission. */
    JAVA(-1);

    /** Value of {@code enum chimera_device_mechanism}; negative: unknown in C. */
    private final int number;

    Mechanism(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
