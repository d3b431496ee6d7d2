package io.chimera.faults.sim;

import java.io.PrintWriter;
import java.util.Locale;

/** What happened in a run, in order: printed when asked for, and always drawn together into one number. */
final class Trace {
    private static final long PRIME = 0x100000001B3L;

    private final PrintWriter out;
    private long digest = 0xCBF29CE484222325L;

    /** A trace that is printed, or only counted when there is nowhere to print to. */
    Trace(PrintWriter out) {
        this.out = out;
    }

    /** Two runs with the same number went the same way. */
    long digest() {
        return digest;
    }

    /** Something ordinary happened to a process. */
    void event(long atNs, String process, String what) {
        digest = (digest ^ atNs ^ ((long) what.hashCode() << 32) ^ process.hashCode()) * PRIME;
        if (out != null) {
            line(atNs, process, what);
        }
    }

    /** Something happened that a reader wants to see. */
    void note(long atNs, String process, String format, Object... arguments) {
        digest = (digest ^ atNs ^ format.hashCode()) * PRIME;
        if (out != null) {
            line(atNs, process, String.format(Locale.ROOT, format, arguments));
        }
    }

    private void line(long atNs, String process, String what) {
        out.printf(Locale.ROOT, "%12.6f  %-4s %s%n", atNs / 1e9, process, what);
    }
}
