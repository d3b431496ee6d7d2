package io.chimera.common.agent;

import java.util.BitSet;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds threads to cores. If the binding is impossible, the thread runs unbound and the log has the reason. */
public final class CoreBinding {
    private static final Logger LOG = LoggerFactory.getLogger(CoreBinding.class);

    private CoreBinding() {}

    /**
     * Binds the calling thread.
     *
     * @param core core number, counted from 0
     * @param what owner of the thread, for the log
     * @return whether the thread is bound
     */
    public static boolean bind(int core, String what) {
        String why = tryToBind(core);
        if (why.isEmpty()) {
            LOG.info("Bound the thread of {} to core {}", what, core);
        } else {
            LOG.warn("Cannot bind the thread of {} to core {}: {} The thread runs unbound.", what, core, why);
        }
        return why.isEmpty();
    }

    private static String tryToBind(int core) {
        BitSet wanted = new BitSet();
        wanted.set(core);
        try {
            if (!Affinity.isJNAAvailable()) {
                return "the required library (JNA) cannot be loaded.";
            }
            BitSet allowed = Affinity.getAffinity();
            if (!allowed.get(core)) {
                return "this process may use only the cores " + allowed
                        + "; set cpu to one of them, or allow more cores.";
            }
            Affinity.setAffinity(wanted);
            return Affinity.getAffinity().equals(wanted) ? "" : "the operating system ignored the request; remove cpu.";
        } catch (IllegalStateException | LinkageError e) {
            return "the operating system refuses (" + e.getMessage() + "); remove cpu, or permit the binding.";
        }
    }
}
