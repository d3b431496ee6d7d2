package io.chimera.common.cluster;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The pipelines that a node can process cycles with, by the digest that it announces; the newest first. Any thread.
 *
 * @param <P> pipelines as the node has them
 */
public final class Held<P> {
    /** Those in force, the newest, and some that were given up on the way. */
    static final int MAX = 4;

    private volatile List<Edition<P>> editions;
    private volatile Runnable onChange = () -> {};

    /**
     * Pipelines of one configuration.
     *
     * @param digest that members announce who have the same
     * @param pipelines the pipelines
     */
    public record Edition<P>(String digest, P pipelines) {
        /** What frames name the digest by. */
        public int fingerprint() {
            return Agreement.fingerprint(digest);
        }
    }

    /** Those that the node was started with. */
    public Held(String digest, P pipelines) {
        editions = List.of(new Edition<>(digest, pipelines));
    }

    /** Has others told that the digests are other ones, on the thread that changed them. */
    public void onChange(Runnable listener) {
        onChange = listener;
    }

    /** Digests, the newest first. */
    public List<String> digests() {
        return editions.stream().map(Edition::digest).toList();
    }

    /** The newest. */
    public Edition<P> newest() {
        return editions.get(0);
    }

    /** Those of a digest, or null; the newest where no digest is named. */
    public Edition<P> find(String digest) {
        List<Edition<P>> all = editions;
        for (int i = 0; i < all.size(); i++) {
            if (digest.isEmpty() || all.get(i).digest().equals(digest)) {
                return all.get(i);
            }
        }
        return null;
    }

    /** The pipelines whose digest has a fingerprint, or null. 0 is the fingerprint of no pipelines. */
    public Edition<P> find(int fingerprint) {
        List<Edition<P>> all = editions;
        for (int i = 0; i < all.size(); i++) {
            if (fingerprint != 0 && all.get(i).fingerprint() == fingerprint) {
                return all.get(i);
            }
        }
        return null;
    }

    /** Whether there are pipelines whose digest frames name so. */
    public boolean has(int fingerprint) {
        return find(fingerprint) != null;
    }

    /** The pipelines of all digests. */
    public List<P> all() {
        return editions.stream().map(Edition::pipelines).toList();
    }

    /**
     * Makes a configuration the newest.
     *
     * @param maker makes the pipelines where they are not held already
     * @throws ChimeraException when too many are held that no cycle was begun with
     */
    public synchronized void hold(String digest, Supplier<P> maker) {
        Edition<P> known = editions.stream()
                .filter(edition -> edition.digest().equals(digest))
                .findFirst()
                .orElse(null);
        if (known == null && editions.size() == MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "This node holds " + MAX
                            + " configurations already, and the cluster has not taken up the newest ones."
                            + " See chimera cluster status for who lacks them, and reload those; or reload an earlier one.");
        }
        List<Edition<P>> next = new ArrayList<>(editions);
        next.remove(known);
        next.add(0, known == null ? new Edition<>(digest, maker.get()) : known);
        editions = List.copyOf(next);
        onChange.run();
    }

    /**
     * Lets go of those that are older than the ones in force and that no open cycle names.
     *
     * @return what it let go of
     */
    public synchronized List<P> retire(ClusterView view) {
        List<P> retired = new ArrayList<>();
        List<Edition<P>> kept = new ArrayList<>();
        boolean isOlder = false;
        String inForce = view.lastDigest();
        for (Edition<P> edition : editions) {
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
