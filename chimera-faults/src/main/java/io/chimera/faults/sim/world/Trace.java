package io.chimera.faults.sim.world;

import java.io.PrintWriter;
import java.util.Locale;

/** Events of a run in order: printed on request, and always hashed into a digest. */
public final class Trace {
    private static final long PRIME = 0x100000001B3L;

    private final PrintWriter out;
    private long digest = 0xCBF29CE484222325L;

    /** Creates a trace; without a writer the trace only computes the digest. */
    public Trace(PrintWriter out) {
        this.out = out;
    }

    /** Returns the digest; equal digests mean equal runs. */
    public long digest() {
        return digest;
    }

    /** Records an ordinary event of a process. */
    void event(long atNs, String process, String what) {
        digest = (digest ^ atNs ^ ((long) what.hashCode() << 32) ^ process.hashCode()) * PRIME;
        if (out != null) {
            line(atNs, process, what);
        }
    }

    /** Records an event of interest for readers. */
    public void note(long atNs, String process, String format, Object... arguments) {
        digest = (digest ^ atNs ^ format.hashCode()) * PRIME;
        if (out != null) {
            line(atNs, process, String.format(Locale.ROOT, format, arguments));
        }
    }

    private void line(long atNs, String process, String what) {
        out.printf(Locale.ROOT, "%12.6f  %-4s %s%n", atNs / 1e9, process, what);
    }
}
