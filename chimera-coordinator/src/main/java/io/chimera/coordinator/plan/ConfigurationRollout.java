package io.chimera.coordinator.plan;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Decides the pipelines of new cycles. The configuration in force stays until this coordinator and every live member
 * that does not leave announce the same other configuration for the grace time. The next cycle then begins with the new
 * configuration, as soon as the cycles before it have ended. So either all nodes change over or none does. When no
 * member of some tier has the configuration in force any more, cycles use this coordinator's configuration. The
 * decision follows from the view alone, so another coordinator decides alike. Used by the conductor's thread only.
 */
public final class ConfigurationRollout {
    private final Supplier<ConfigurationDigest> wanted;
    private final long graceNs;
    private ConfigurationDigest digest = ConfigurationDigest.NONE;
    private ConfigurationDigest candidate = ConfigurationDigest.NONE;
    private long candidateSinceNs;

    /**
     * Creates a changeover without observations.
     *
     * @param wanted digest of this coordinator's own configuration
     * @param graceNs time for which another digest must be agreed; sessions expired by mistake return within this time
     */
    public ConfigurationRollout(Supplier<ConfigurationDigest> wanted, long graceNs) {
        this.wanted = wanted;
        this.graceNs = graceNs;
    }

    /** Updates the digest of the next cycle from a view. */
    public void look(ClusterView view, long nowNs) {
        ConfigurationDigest inForce = view.lastDigest();
        ConfigurationDigest next = next(view, inForce);
        if (!next.equals(candidate)) {
            candidate = next;
            candidateSinceNs = nowNs;
        }
        boolean isSettled = inForce.isEmpty() || next.equals(inForce) || nowNs - candidateSinceNs >= graceNs;
        digest = isSettled ? next : inForce;
    }

    private ConfigurationDigest next(ClusterView view, ConfigurationDigest inForce) {
        ConfigurationDigest own = wanted.get();
        boolean isAgreed =
                inForce.isEmpty() || inForce.equals(own) || lacking(view, own).isEmpty();
        return isAgreed || !isHeld(view, inForce) ? own : inForce;
    }

    /** Returns whether both tiers have a member with this configuration. */
    private static boolean isHeld(ClusterView view, ConfigurationDigest digest) {
        return view.queues().stream().anyMatch(member -> member.holds(digest))
                && view.processors().stream().anyMatch(member -> member.holds(digest));
    }

    /** Returns the configuration digest of the next cycle. */
    public ConfigurationDigest digest() {
        return digest;
    }

    /**
     * Returns the first open cycle with another digest than the next cycle. A cycle with a new digest begins only when
     * no such cycle is open: no node then works with two configurations at a time, and state moves from the old
     * configuration to the new one between two cycles.
     */
    public Optional<OpenCycle> unfinished(ClusterView view) {
        return view.open().stream()
                .filter(open -> !open.assignment().digest().isEmpty()
                        && !open.assignment().digest().equals(digest))
                .findFirst();
    }

    /**
     * Returns the configuration digest with which an open cycle continues. This is the digest of its assignment, or the
     * digest of new cycles when no member of some tier has the cycle's own configuration any more, because a whole tier
     * was restarted with another one.
     */
    ConfigurationDigest of(ClusterView view, OpenCycle open) {
        ConfigurationDigest own = open.assignment().digest();
        return isHeld(view, own) || !isHeld(view, digest) ? own : digest;
    }

    /** Returns the ids of live members that do not leave and announce another digest, queue nodes first. */
    public static List<String> lacking(ClusterView view, ConfigurationDigest digest) {
        Stream<String> queues = view.queues().stream()
                .filter(member -> !member.leaving() && !member.digest().equals(digest))
                .map(QueueMember::id);
        Stream<String> processors = view.processors().stream()
                .filter(member -> !member.leaving() && !member.digest().equals(digest))
                .map(ProcessorMember::id);
        return Stream.concat(queues, processors).toList();
    }

    /**
     * Explains to the operator why a configuration of the coordinator or of a member is not in force.
     *
     * @param wanted digest of the coordinator's configuration
     * @return the explanation; empty when all configurations agree
     */
    public static String waiting(ClusterView view, ConfigurationDigest wanted) {
        ConfigurationDigest inForce = view.lastDigest();
        if (inForce.isEmpty()) {
            return "";
        }
        List<String> lacking = lacking(view, wanted);
        if (!inForce.equals(wanted)) {
            String what =
                    lacking.isEmpty() ? " begins with the next cycle" : " waits for " + String.join(", ", lacking);
            return "configuration " + wanted.brief() + what + "; cycles continue with " + inForce.brief();
        }
        List<String> others = new ArrayList<>();
        view.queues().stream()
                .filter(member -> lacking.contains(member.id()) && member.holds(inForce))
                .forEach(member -> others.add(member.id()));
        view.processors().stream()
                .filter(member -> lacking.contains(member.id()) && member.holds(inForce))
                .forEach(member -> others.add(member.id()));
        return others.isEmpty()
                ? ""
                : "the newer configuration of " + String.join(", ", others)
                        + " waits for the coordinator; reload the coordinator, or restore the old configuration of"
                        + " these nodes";
    }
}
