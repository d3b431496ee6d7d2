package io.chimera.coordinator;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * With which pipelines cycles begin. What is in force stays in force until this coordinator and every live member that is not leaving
 * want the same other one, and have wanted it for a grace: then the next cycle begins with it, as soon as those before it are over. So
 * a change is taken up by all or by none. It follows from the view alone, so that another coordinator goes on alike. Owned by the
 * conductor; {@link #want} any thread.
 */
final class Changeover {
    private final long graceNs;
    private volatile String wanted;
    private String digest = "";
    private String candidate = "";
    private long candidateSinceNs;

    /**
     * A changeover that has seen nothing.
     *
     * @param wanted digest of this coordinator's own configuration
     * @param graceNs how long a reason for another digest must last: sessions that expire by mistake come back
     */
    Changeover(String wanted, long graceNs) {
        this.wanted = wanted;
        this.graceNs = graceNs;
    }

    /** This coordinator has another configuration from now on. Any thread. */
    void want(String other) {
        wanted = other;
    }

    /** What this coordinator wants. Any thread. */
    String wanted() {
        return wanted;
    }

    /** Begins anew: while nobody looked, somebody may have been there. */
    void forget() {
        candidate = "";
    }

    /** Notes what a view shows. */
    void look(ClusterView view, long nowNs) {
        String inForce = view.lastDigest();
        String next = next(view, inForce);
        if (!next.equals(candidate)) {
            candidate = next;
            candidateSinceNs = nowNs;
        }
        boolean isSettled = inForce.isEmpty() || next.equals(inForce) || nowNs - candidateSinceNs >= graceNs;
        digest = isSettled ? next : inForce;
    }

    private String next(ClusterView view, String inForce) {
        String own = wanted;
        boolean isAgreed =
                inForce.isEmpty() || inForce.equals(own) || lacking(view, own).isEmpty();
        return isAgreed || !isHeld(view, inForce) ? own : inForce;
    }

    /** Whether both tiers can process cycles with these pipelines. */
    private static boolean isHeld(ClusterView view, String digest) {
        return view.queues().stream().anyMatch(member -> member.holds(digest))
                && view.processors().stream().anyMatch(member -> member.holds(digest));
    }

    /** Digest of the pipelines that the next cycle begins with. */
    String digest() {
        return digest;
    }

    /**
     * The first open cycle with other pipelines than the next. There is to be none when it begins: then no node ever works with two at
     * one time, and state goes from one to the other at one place.
     */
    Optional<OpenCycle> unfinished(ClusterView view) {
        return view.open().stream()
                .filter(open -> !open.assignment().digest().isEmpty()
                        && !open.assignment().digest().equals(digest))
                .findFirst();
    }

    /**
     * Digest of the pipelines that an open cycle goes on with: its own. Where nobody can process it with these any more, because a
     * whole tier was started again with others, those that cycles begin with now.
     */
    String of(ClusterView view, OpenCycle open) {
        String own = open.assignment().digest();
        return isHeld(view, own) || !isHeld(view, digest) ? own : digest;
    }

    /** Ids of the live members that stay and whose newest configuration is another one, queue nodes first. */
    static List<String> lacking(ClusterView view, String digest) {
        Stream<String> queues = view.queues().stream()
                .filter(member -> !member.leaving() && !member.digest().equals(digest))
                .map(QueueMember::id);
        Stream<String> processors = view.processors().stream()
                .filter(member -> !member.leaving() && !member.digest().equals(digest))
                .map(ProcessorMember::id);
        return Stream.concat(queues, processors).toList();
    }

    /**
     * Why what a coordinator or a member wants is not in force, in words for the operator.
     *
     * @param wanted what the coordinator wants
     * @return empty when there is no other wish
     */
    static String waiting(ClusterView view, String wanted) {
        String inForce = view.lastDigest();
        if (inForce.isEmpty()) {
            return "";
        }
        List<String> lacking = lacking(view, wanted);
        if (!inForce.equals(wanted)) {
            String what =
                    lacking.isEmpty() ? " begins with the next cycle" : " waits for " + String.join(", ", lacking);
            return "configuration " + brief(wanted) + what + "; cycles go on with " + brief(inForce);
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
                        + " waits for the coordinator; reload it, or give them back the old one";
    }

    /** Enough of a digest for people: the beginning of that of the configuration, and the plugins. */
    private static String brief(String digest) {
        String[] parts = digest.split(";", 2);
        String configuration = parts[0].substring(0, Math.min(12, parts[0].length()));
        return parts.length == 1
                ? configuration
                : configuration + " with " + parts[1].replace('=', ' ').replace(";", ", ");
    }
}
