package io.chimera.processor;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.config.binding.ProcessorWeight;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Announces this processor to the cluster, and reports whether the cluster view shows the announcement. */
final class Announcement {
    private final ProcessorIdentity identity;
    private final ProcessorWeight weight;
    private final Cluster cluster;
    private final Supplier<List<ConfigurationDigest>> digests;
    private String address;
    private boolean isLeaving;
    private List<String> storesOut = List.of();
    private final Set<ConfigurationDigest> concealed = new HashSet<>();

    Announcement(
            ProcessorIdentity identity,
            ProcessorWeight weight,
            Cluster cluster,
            Supplier<List<ConfigurationDigest>> digests) {
        this.digests = digests;
        this.identity = identity;
        this.weight = weight;
        this.cluster = cluster;
    }

    /** Announces the processor with its listening port. */
    synchronized void announce(int port, boolean leaving) {
        address = new Endpoint(identity.announcedHost(), port).toString();
        isLeaving = leaving;
        renew();
    }

    /** Keeps a configuration out of the announcement until {@link #reveal}. */
    synchronized void conceal(ConfigurationDigest digest) {
        concealed.add(digest);
    }

    /** Announces a configuration from now on. */
    synchronized void reveal(ConfigurationDigest digest) {
        concealed.remove(digest);
        renew();
    }

    synchronized void storesOut(List<String> names) {
        storesOut = names;
        renew();
    }

    /** Announces the present state; does nothing before the processor listens. */
    synchronized void renew() {
        if (address == null) {
            return;
        }
        cluster.announce(new ProcessorMember(
                identity.id(),
                identity.session(),
                address,
                identity.http(),
                announced(),
                isLeaving,
                storesOut,
                weight.fixed()));
    }

    private List<ConfigurationDigest> announced() {
        return digests.get().stream()
                .filter(digest -> !concealed.contains(digest))
                .toList();
    }

    /** Returns why the processor takes no part in the work; empty when it does. Any thread. */
    Optional<String> notReady() {
        ClusterView view = cluster.view();
        Optional<ProcessorMember> self = view.processor(identity.session());
        if (!view.connected()) {
            return Optional.of("no connection to the coordinator");
        }
        return self.isEmpty()
                ? Optional.of("joining")
                : self.filter(ProcessorMember::leaving).map(member -> "leaving");
    }
}
