package io.chimera.common.agent;

import java.util.BitSet;
import java.util.Set;
import java.util.function.Supplier;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds threads to cores, numbered from 0. If the binding is impossible, the thread runs unbound and the log has the
 * reason.
 */
public final class CoreBinding {
    private static final Logger LOG = LoggerFactory.getLogger(CoreBinding.class);

    private CoreBinding() {}

    /**
     * Binds the calling thread. Threads that it starts later inherit the binding.
     *
     * @param cores at least one core
     * @param what owner of the thread, for the log
     * @return whether the thread is bound
     */
    public static boolean bind(Set<Integer> cores, String what) {
        String why = tryToBind(cores);
        if (why.isEmpty()) {
            LOG.info("Bound threads of {} to cores {}", what, cores);
        } else {
            LOG.warn("Cannot bind threads of {} to cores {}: {} The threads run unbound.", what, cores, why);
        }
        return why.isEmpty();
    }

    /**
     * Runs work on the calling thread while it is bound. All threads that the work starts stay bound; the calling
     * thread has its earlier cores afterwards.
     *
     * @param cores cores for the threads; empty: no binding
     * @param what owner of the threads, for the log
     */
    public static <T> T within(Set<Integer> cores, String what, Supplier<T> work) {
        if (cores.isEmpty()) {
            return work.get();
        }
        BitSet before = Affinity.isJNAAvailable() ? Affinity.getAffinity() : new BitSet();
        if (!bind(cores, what)) {
            return work.get();
        }
        try {
            return work.get();
        } finally {
            Affinity.setAffinity(before);
        }
    }

    private static String tryToBind(Set<Integer> cores) {
        BitSet wanted = new BitSet();
        cores.forEach(wanted::set);
        try {
            if (!Affinity.isJNAAvailable()) {
                return "the required library (JNA) cannot be loaded.";
            }
            BitSet allowed = Affinity.getAffinity();
            BitSet missing = (BitSet) wanted.clone();
            missing.andNot(allowed);
            if (!missing.isEmpty()) {
                return "this process may use only the cores " + allowed + "; choose among them, or allow more cores.";
            }
            Affinity.setAffinity(wanted);
            return Affinity.getAffinity().equals(wanted)
                    ? ""
                    : "the operating system ignored the request; remove the setting.";
        } catch (IllegalStateException | LinkageError e) {
            return "the operating system refuses (" + e.getMessage() + "); remove the setting, or permit the binding.";
        }
    }
}
