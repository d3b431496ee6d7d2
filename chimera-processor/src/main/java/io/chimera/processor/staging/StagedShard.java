package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.api.model.Row;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.membership.ConfigurationRegistry.LoadedConfiguration;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.Slice;
import io.chimera.processor.pipeline.GroupCursor;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.staging.composer.ComposableShard;
import io.chimera.processor.staging.composer.Composed;
import io.chimera.processor.staging.warehouse.KeptEntries;
import io.chimera.processor.staging.warehouse.MergedGroups;
import io.chimera.processor.staging.warehouse.Plugins;
import io.chimera.processor.staging.warehouse.Warehouse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Staged data of a shard of a cycle. Staging's thread owns the shard until all parts are whole; then the composers and
 * the flusher read the shard, each alone, until staging gets the shard back.
 */
final class StagedShard implements ComposableShard {
    private final ShardId id;
    private final LoadedConfiguration<List<Pipeline>> edition;
    private final List<Plugins> plugins;
    private final List<StagedPart> parts = new ArrayList<>();

    /** Output of compositions by pipeline; null for pipelines without a composition. */
    private final Composed[] composed;

    /** Slices left to flush, in order; the first is staged. */
    private final Deque<Slice> slices = new ArrayDeque<>(List.of(Slice.WHOLE));

    private Flushed flushed = Flushed.NOTHING;
    private boolean isFlushed;
    private boolean isRejected;
    private boolean isTooLarge;
    private boolean isFavoured;
    private boolean isAwaitingRoom;
    private boolean isHandedOver;
    private boolean isCareful;
    private CycleTime time;

    /** Accounts of the flushed slices. */
    private record Flushed(long aggregated, long late, long rejected, long filtered, long checksum, long rows) {
        static final Flushed NOTHING = new Flushed(0, 0, 0, 0, 0, 0);
    }

    StagedShard(ShardId id, LoadedConfiguration<List<Pipeline>> edition, List<Plugins> plugins) {
        this.id = id;
        this.edition = edition;
        this.plugins = plugins;
        composed = new Composed[plugins.size()];
    }

    /** Returns the identity of a part, staged or not. */
    PartId part(int part) {
        return new PartId(id.cycle(), part, id.shard());
    }

    /** Returns a part; null when unknown. */
    StagedPart find(int part) {
        for (int i = 0; i < parts.size(); i++) {
            if (parts.get(i).part() == part) {
                return parts.get(i);
            }
        }
        return null;
    }

    /** Returns a part, empty when new. */
    StagedPart findOrAdd(int part, long nowNs) {
        StagedPart found = find(part);
        return found == null ? add(part, nowNs) : found;
    }

    @ColdPath
    private StagedPart add(int part, long nowNs) {
        StagedPart added = new StagedPart(part(part), plugins.size(), nowNs);
        int at = 0;
        while (at < parts.size() && parts.get(at).part() < part) {
            at++;
        }
        parts.add(at, added);
        return added;
    }

    /** Returns the parts in the order of their numbers. */
    List<StagedPart> parts() {
        return parts;
    }

    /** Returns whether the given number of parts are present and whole. */
    boolean isWhole(int partCount) {
        return parts.size() == partCount && parts.stream().allMatch(StagedPart::isWhole);
    }

    boolean isHandedOver() {
        return isHandedOver;
    }

    /** Passes the shard to the flusher. */
    void handOver(CycleTime cycleTime) {
        time = cycleTime;
        isHandedOver = true;
        isFavoured = false;
    }

    /** Returns whether the shard is processed in slices. */
    boolean isSliced() {
        return slices.size() > 1 || !slices.element().isWhole();
    }

    /** Returns whether newer shards have to wait, because this shard had no room. */
    boolean isFavoured() {
        return isFavoured || isSliced();
    }

    /** Makes newer shards wait until this shard is handed over. */
    void favour() {
        isFavoured = true;
    }

    /** Marks the shard as incomplete for lack of room. */
    void awaitRoom() {
        isAwaitingRoom = true;
    }

    /** Returns whether parts are missing for lack of room, and clears the mark. */
    boolean endAwaitingRoom() {
        boolean wasAwaiting = isAwaitingRoom;
        isAwaitingRoom = false;
        return wasAwaiting;
    }

    /** Returns whether the staged slice is flushed, with further slices left. */
    boolean isFlushed() {
        return isFlushed;
    }

    /** Returns whether the output of a composition for the staged slice did not fit. */
    boolean isTooLarge() {
        return isTooLarge;
    }

    /** Replaces the flushed slice with the next slice. */
    void nextSlice() {
        slices.remove();
        isRejected = false;
        restart();
    }

    /** Divides the staged slice in two and restarts with the first half; false when the slice is not divisible. */
    boolean divide() {
        Slice slice = slices.element();
        if (!slice.isDivisible()) {
            return false;
        }
        slices.remove();
        slices.push(slice.upper());
        slices.push(slice.lower());
        restart();
        return true;
    }

    /** Rejects the staged slice and restarts the slice to count its data points. */
    void reject() {
        isRejected = true;
        restart();
    }

    /** Drops the staged data and stages the slice from the beginning. */
    void restart() {
        drop();
        isHandedOver = false;
        isFlushed = false;
        isTooLarge = false;
    }

    /** Returns whether the shard uses memory for received data. */
    boolean holdsMemory() {
        return parts.stream().anyMatch(StagedPart::holdsMemory);
    }

    /** Returns whether the shard follows another shard: a newer cycle, or the same cycle and a larger shard number. */
    boolean isAfter(long otherCycle, int otherShard) {
        return id.cycle() != otherCycle ? id.cycle() > otherCycle : id.shard() > otherShard;
    }

    /** Returns whether the shard belongs to a configuration. */
    @SuppressWarnings("ReferenceEquality") // compared by identity: the same content can be loaded again later
    boolean isOf(LoadedConfiguration<List<Pipeline>> other) {
        return edition == other;
    }

    @Override
    public Slice slice() {
        return slices.element();
    }

    @Override
    public boolean isRejected() {
        return isRejected;
    }

    @Override
    public void tooLarge() {
        isTooLarge = true;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A flushed slice may have empty accounts, too.
    public boolean isFirst() {
        return flushed == Flushed.NOTHING;
    }

    @Override
    public boolean isLast() {
        return slices.size() == 1;
    }

    @Override
    public long rowsBefore() {
        return flushed.rows;
    }

    @Override
    public void flushed(long rows) {
        flushed = new Flushed(aggregated(), late(), rejected(), filtered(), checksum(), flushed.rows + rows);
        isFlushed = true;
    }

    /**
     * Returns whether an aggregator threw at a record of the shard, so that each record is rehearsed before folding.
     */
    boolean isCareful() {
        return isCareful;
    }

    void beCareful() {
        isCareful = true;
    }

    /** Takes the shard back, because the next queue was full. */
    void keep() {
        isHandedOver = false;
    }

    /** Drops parts with numbers beyond the number of parts of the cycle. */
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
    public ConfigurationDigest digest() {
        return edition.digest();
    }

    @Override
    public List<Pipeline> pipelines() {
        return edition.pipelines();
    }

    @Override
    public ShardId id() {
        return id;
    }

    @Override
    public CycleTime time() {
        return time;
    }

    @Override
    public long aggregated() {
        return flushed.aggregated
                + sum(StagedPart::aggregated)
                - sumComposed(Composed::late)
                - sumComposed(Composed::rejected);
    }

    @Override
    public long late() {
        return flushed.late + sum(StagedPart::late) + sumComposed(Composed::late);
    }

    @Override
    public long rejected() {
        return flushed.rejected + sum(StagedPart::rejected) + sumComposed(Composed::rejected);
    }

    @Override
    public long filtered() {
        return flushed.filtered + sum(StagedPart::filtered);
    }

    @Override
    public long checksum() {
        return flushed.checksum + sum(StagedPart::checksum);
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
