package io.chimera.processor.staging;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.Held.Edition;
import io.chimera.processor.GroupCursor;
import io.chimera.processor.Pipeline;
import io.chimera.processor.staging.composer.ComposableShard;
import io.chimera.processor.staging.composer.Composed;
import io.chimera.processor.staging.warehouse.KeptEntries;
import io.chimera.processor.staging.warehouse.MergedGroups;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What is staged of one shard of a cycle. Staging's thread owns it until it hands it over as a whole one; then the
 * flusher's thread reads it alone, until it is handed back.
 */
final class StagedShard implements ComposableShard {
    private final long cycle;
    private final int shard;
    private final Edition<List<Pipeline>> edition;
    private final List<Plugins> plugins;
    private final List<StagedPart> parts = new ArrayList<>();

    /** By pipeline, of those that have a composition. */
    private final Composed[] composed;

    private boolean isHandedOver;
    private boolean isCareful;
    private long timeMs;

    StagedShard(long cycle, int shard, Edition<List<Pipeline>> edition, List<Plugins> plugins) {
        this.cycle = cycle;
        this.shard = shard;
        this.edition = edition;
        this.plugins = plugins;
        composed = new Composed[plugins.size()];
    }

    /** The part, or null when nothing is known of it. */
    StagedPart find(int part) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).part() == part) {
                return parts.get(i);
            }
        }
        return null;
    }

    /** The part, nothing at first. */
    StagedPart findOrAdd(int part, long nowNs) {
        StagedPart found = find(part);
        return found == null ? add(part, nowNs) : found;
    }

    private StagedPart add(int part, long nowNs) {
        StagedPart added = new StagedPart(part, plugins.size(), nowNs);
        int at = 0;
        while (at < parts.size() && parts.get(at).part() < part) {
            at++;
        }
        parts.add(at, added);
        return added;
    }

    /** Parts in their order. */
    List<StagedPart> parts() {
        return parts;
    }

    /** Whether all of the given number of parts are whole. */
    boolean isWhole(int partCount) {
        return parts.size() == partCount && parts.stream().allMatch(StagedPart::isWhole);
    }

    boolean isHandedOver() {
        return isHandedOver;
    }

    /** Makes the shard the flusher's. */
    void handOver(long cycleTimeMs) {
        timeMs = cycleTimeMs;
        isHandedOver = true;
    }

    /** Whether an aggregator threw at a record of it, so that each has to be tried before it is folded. */
    boolean isCareful() {
        return isCareful;
    }

    void beCareful() {
        isCareful = true;
    }

    /** The flusher had no room for it. */
    void keep() {
        isHandedOver = false;
    }

    /** Drops parts that the cycle turned out not to have. */
    void dropPartsFrom(int first) {
        parts.removeIf(part -> {
            boolean isDropped = part.part() >= first;
            if (isDropped) {
                part.drop();
            }
            return isDropped;
        });
    }

    void drop() {
        parts.forEach(StagedPart::drop);
        parts.clear();
    }

    @Override
    public String digest() {
        return edition.digest();
    }

    @Override
    public List<Pipeline> pipelines() {
        return edition.pipelines();
    }

    @Override
    public long cycle() {
        return cycle;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public long timeMs() {
        return timeMs;
    }

    @Override
    public long aggregated() {
        return sum(StagedPart::aggregated) - sumComposed(Composed::late) - sumComposed(Composed::rejected);
    }

    @Override
    public long late() {
        return sum(StagedPart::late) + sumComposed(Composed::late);
    }

    @Override
    public long rejected() {
        return sum(StagedPart::rejected) + sumComposed(Composed::rejected);
    }

    @Override
    public long filtered() {
        return sum(StagedPart::filtered);
    }

    @Override
    public long checksum() {
        return sum(StagedPart::checksum);
    }

    private long sum(ToLongFunction<StagedPart> account) {
        return parts.stream().mapToLong(account).sum();
    }

    private long sumComposed(ToLongFunction<Composed> account) {
        long sum = 0;
        for (Composed each : composed) {
            sum += each == null ? 0 : account.applyAsLong(each);
        }
        return sum;
    }

    @Override
    public List<KeptEntries> kept(int pipeline) {
        List<KeptEntries> kept = new ArrayList<>();
        for (StagedPart part : parts) {
            if (part.kept(pipeline) != null) {
                kept.add(part.kept(pipeline).entries());
            }
        }
        return kept;
    }

    @Override
    public Composed composed(int pipeline) {
        return composed[pipeline];
    }

    @Override
    public void composed(int pipeline, Composed result) {
        composed[pipeline] = result;
    }

    @Override
    public List<Row> rows(int pipeline) {
        return composed[pipeline] == null ? null : composed[pipeline].rows();
    }

    @Override
    public GroupCursor groups(int pipeline) {
        if (composed[pipeline] != null) {
            return new MergedGroups(List.of(composed[pipeline].warehouse()), plugins.get(pipeline));
        }
        List<Warehouse> staged = new ArrayList<>();
        for (StagedPart part : parts) {
            if (part.warehouse(pipeline) != null) {
                staged.add(part.warehouse(pipeline));
            }
        }
        return new MergedGroups(staged, plugins.get(pipeline));
    }
}
