package io.chimera.common.cluster.membership;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Registry of the configurations available on a node, keyed by announced digest, newest first. Any thread.
 *
 * @param <P> the node's representation of the pipelines
 */
public final class ConfigurationRegistry<P> {
    /**
     * Maximum number of configurations: the active configuration, the newest, and some superseded configurations
     * between them.
     */
    static final int MAX = 4;

    private volatile List<LoadedConfiguration<P>> editions;
    private volatile Runnable onChange = () -> {};

    /**
     * Pipelines of one configuration.
     *
     * @param digest digest of the pipelines; equal on all members with the same configuration
     * @param pipelines the pipelines
     */
    public record LoadedConfiguration<P>(ConfigurationDigest digest, P pipelines) {
        /** Fingerprint of the digest in frames. */
        public int fingerprint() {
            return digest.fingerprint();
        }
    }

    /** Creates a registry with the start configuration. */
    public ConfigurationRegistry(ConfigurationDigest digest, P pipelines) {
        editions = List.of(new LoadedConfiguration<>(digest, pipelines));
    }

    /** Sets the listener for digest changes; the changing thread calls the listener. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Digests, newest first. */
    public List<ConfigurationDigest> digests() {
        return editions.stream().map(LoadedConfiguration::digest).toList();
    }

    /** Newest configuration. */
    public LoadedConfiguration<P> newest() {
        return editions.get(0);
    }

    /** Returns the configuration with a digest, or null if unknown; the newest configuration for an empty digest. */
    public LoadedConfiguration<P> find(ConfigurationDigest digest) {
        List<LoadedConfiguration<P>> all = editions;
        for (int i = 0; i < all.size(); i++) {
            if (digest.isEmpty() || all.get(i).digest().equals(digest)) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Returns the configuration with a fingerprint, or null. No configuration has the fingerprint 0. */
    public LoadedConfiguration<P> find(int fingerprint) {
        List<LoadedConfiguration<P>> all = editions;
        for (int i = 0; i < all.size(); i++) {
            if (fingerprint != 0 && all.get(i).fingerprint() == fingerprint) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Returns whether a configuration with the fingerprint is available. */
    public boolean has(int fingerprint) {
        return find(fingerprint) != null;
    }

    /** Pipelines of all configurations. */
    public List<P> all() {
        return editions.stream().map(LoadedConfiguration::pipelines).toList();
    }

    /**
     * Makes a configuration the newest.
     *
     * @param maker creates the pipelines of an unknown configuration
     * @throws ChimeraException if the registry is full
     */
    public synchronized void hold(ConfigurationDigest digest, Supplier<P> maker) {
        LoadedConfiguration<P> known = editions.stream()
                .filter(edition -> edition.digest().equals(digest))
                .findFirst()
                .orElse(null);
        if (known == null && editions.size() == MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "This node already has " + MAX
                            + " configurations, and the cluster has not adopted the newest."
                            + " Find the nodes without the newest configuration with chimera cluster status"
                            + " and reload them, or reload an earlier configuration.");
        }
        List<LoadedConfiguration<P>> next = new ArrayList<>(editions);
        next.remove(known);
        next.add(0, known == null ? new LoadedConfiguration<>(digest, maker.get()) : known);
        editions = List.copyOf(next);
        onChange.run();
    }

    /**
     * Retires configurations older than the active configuration and without an open cycle.
     *
     * @return the pipelines of the retired configurations
     */
    public synchronized List<P> retire(ClusterView view) {
        if (!view.connected()) {
            return List.of(); // cycles that this view does not show may have any configuration
        }
        List<P> retired = new ArrayList<>();
        List<LoadedConfiguration<P>> kept = new ArrayList<>();
        boolean isOlder = false;
        ConfigurationDigest inForce = view.lastDigest();
        for (LoadedConfiguration<P> edition : editions) {
            boolean isNamed = view.open().stream()
                    .anyMatch(open -> open.assignment().digest().equals(edition.digest()));
            if (isOlder && !isNamed) {
                retired.add(edition.pipelines());
            } else {
                kept.add(edition);
            }
            isOlder |= !inForce.isEmpty() && edition.digest().equals(inForce);
        }
        if (!retired.isEmpty()) {
            editions = List.copyOf(kept);
            onChange.run();
        }
        return retired;
    }
}
