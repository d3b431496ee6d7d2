package io.chimera.common.agent;

import java.util.BitSet;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds threads to cores. Where that is not possible they run unbound, and the log says why. */
public final class CoreBinding {
    private static final Logger LOG = LoggerFactory.getLogger(CoreBinding.class);

    private CoreBinding() {}

    /**
     * Binds the calling thread.
     *
     * @param core counted from 0
     * @param what whose thread it is, for the log
     * @return whether it is bound
     */
    public static boolean bind(int core, String what) {
        String why = tryToBind(core);
        if (why.isEmpty()) {
            LOG.info("The thread of {} is bound to core {}.", what, core);
        } else {
            LOG.warn("The thread of {} cannot be bound to core {}: {} It runs unbound.", what, core, why);
        }
        return why.isEmpty();
    }

    private static String tryToBind(int core) {
        BitSet wanted = new BitSet();
        wanted.set(core);
        try {
            if (!Affinity.isJNAAvailable()) {
                return "the system library that does it (JNA) cannot be loaded here.";
            }
            BitSet allowed = Affinity.getAffinity();
            if (!allowed.get(core)) {
                return "this process may use the cores " + allowed
                        + " only; name one of them as cpu, or allow it more.";
            }
            Affinity.setAffinity(wanted);
            return Affinity.getAffinity().equals(wanted) ? "" : "the operating system did not take it; leave cpu out.";
        } catch (IllegalStateException | LinkageError e) {
            return "the operating system refuses (" + e.getMessage() + "); leave cpu out, or allow it.";
        }
    }
}
