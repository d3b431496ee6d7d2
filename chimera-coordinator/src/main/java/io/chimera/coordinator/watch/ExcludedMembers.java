package io.chimera.coordinator.watch;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports members without work because of their configuration, each once. Used by the conductor's thread only. */
public final class ExcludedMembers {
    private static final Logger LOG = LoggerFactory.getLogger(ExcludedMembers.class);

    private final Counters<CoordinatorCounter> counters;
    private final Set<Long> reported = new HashSet<>();

    public ExcludedMembers(Counters<CoordinatorCounter> counters) {
        this.counters = counters;
    }

    /**
     * Reports the excluded members of a view. A member with this coordinator's own configuration is not reported: the
     * member waits for the changeover, which the status of the coordinator explains.
     *
     * @param digest configuration digest of new cycles
     * @param wanted digest of this coordinator's own configuration
     */
    public void look(ClusterView view, ConfigurationDigest digest, ConfigurationDigest wanted) {
        Map<Long, String> excluded = new TreeMap<>();
        view.queues().stream()
                .filter(member -> !member.holds(digest) && !member.holds(wanted))
                .forEach(member -> excluded.put(
                        member.session(),
                        "Queue node " + member.id() + " gets no work: it " + digest.difference(member.digest())));
        view.processors().stream()
                .filter(member -> !member.holds(digest) && !member.holds(wanted))
                .forEach(member -> excluded.put(
                        member.session(),
                        "Processor " + member.id() + " gets no work: it " + digest.difference(member.digest())));
        reported.retainAll(excluded.keySet());
        excluded.forEach((session, reason) -> {
            if (reported.add(session)) {
                counters.increment(CoordinatorCounter.MEMBERS_EXCLUDED);
                LOG.warn(
                        "{}. Give both the same configuration and restart the node (chimera print-config and chimera"
                                + " plugin ls show the configurations).",
                        reason);
            }
        });
    }
}
