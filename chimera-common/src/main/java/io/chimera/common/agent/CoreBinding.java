package io.chimera.common.agent;

import java.util.BitSet;
import java.util.Optional;
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
     * thread has its earlier cores afterwards. The work runs unbound if {@link #problem} has a reason.
     *
     * @param cores cores for the threads; empty: no binding
     */
    public static <T> T within(Set<Integer> cores, Supplier<T> work) {
        if (cores.isEmpty() || problem(cores).isPresent()) {
            return work.get();
        }
        BitSet before = Affinity.getAffinity();
        if (!tryToBind(cores).isEmpty()) {
            return work.get();
        }
        try {
            return work.get();
        } finally {
            Affinity.setAffinity(before);
        }
    }

    /** Returns why threads of this process cannot be bound to cores, with a remedy; empty if they can. */
    public static Optional<String> problem(Set<Integer> cores) {
        try {
            if (!Affinity.isJNAAvailable()) {
                return Optional.of("the required library (JNA) cannot be loaded.");
            }
            BitSet allowed = Affinity.getAffinity();
            return cores.stream().allMatch(allowed::get)
                    ? Optional.empty()
                    : Optional.of("this process may use only the cores " + allowed
                            + "; choose among them, or allow more cores.");
        } catch (IllegalStateException | LinkageError e) {
            return Optional.of(refusal(e));
        }
    }

    private static String refusal(Throwable e) {
        return "the operating system refuses (" + e.getMessage() + "); remove the setting, or permit the binding.";
    }

    private static String tryToBind(Set<Integer> cores) {
        Optional<String> problem = problem(cores);
        if (problem.isPresent()) {
            return problem.get();
        }
        BitSet wanted = new BitSet();
        cores.forEach(wanted::set);
        try {
            Affinity.setAffinity(wanted);
            return Affinity.getAffinity().equals(wanted)
                    ? ""
                    : "the operating system ignored the request; remove the setting.";
        } catch (IllegalStateException | LinkageError e) {
            return refusal(e);
        }
    }
}
