package io.chimera.processor.staging;

import io.chimera.api.model.Row;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.Held.Edition;
import io.chimera.common.wire.Slice;
import io.chimera.processor.GroupCursor;
import io.chimera.processor.Pipeline;
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

    /** Not flushed yet, in the order in which they are; the first one is staged. */
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
    private boolean isVouchedFor;

    /** Accounts of the slices that are flushed. */
    private record Flushed(long aggregated, long late, long rejected, long filtered, long checksum, long rows) {
        static final Flushed NOTHING = new Flushed(0, 0, 0, 0, 0, 0);
    }

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
    void handOver(CycleTime cycleTime) {
        time = cycleTime;
        isHandedOver = true;
        isFavoured = false;
    }

    /** Whether the shard is taken in slices. */
    boolean isSliced() {
        return slices.size() > 1 || !slices.element().isWhole();
    }

    /** Whether newer shards have to wait because this one had no room. */
    boolean isFavoured() {
        return isFavoured || isSliced();
    }

    /** Makes newer shards wait until this one is handed over. */
    void favour() {
        isFavoured = true;
    }

    /** Parts of it are not here because there was no room for them. */
    void awaitRoom() {
        isAwaitingRoom = true;
    }

    /** Whether parts of it are not here because there was no room; asked when there may be some, and no more after that. */
    boolean endAwaitingRoom() {
        boolean wasAwaiting = isAwaitingRoom;
        isAwaitingRoom = false;
        return wasAwaiting;
    }

    /** Whether the slice that was handed over is flushed, and others are left. */
    boolean isFlushed() {
        return isFlushed;
    }

    /** Whether a composition had no room for the slice that was handed over. */
    boolean isTooLarge() {
        return isTooLarge;
    }

    /** Goes on with the next slice; the one before is flushed. */
    void nextSlice() {
        slices.remove();
        isRejected = false;
        restart();
    }

    /** Divides the slice that is staged in two, which come from the beginning; false when it cannot be divided. */
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

    /** Rejects the slice that is staged, which comes from the beginning to be counted. */
    void reject() {
        isRejected = true;
        restart();
    }

    /** Begins to stage the slice anew. */
    void restart() {
        drop();
        isHandedOver = false;
        isFlushed = false;
        isTooLarge = false;
    }

    /** Whether memory is used for what came. */
    boolean holdsMemory() {
        return parts.stream().anyMatch(StagedPart::holdsMemory);
    }

    /** Whether the shard comes after another one: newer cycles come after older ones. */
    boolean isAfter(long otherCycle, int otherShard) {
        return cycle != otherCycle ? cycle > otherCycle : shard > otherShard;
    }

    /** Whether the shard belongs to the pipelines of an edition. */
    @SuppressWarnings("ReferenceEquality") // an edition is an object with a life, and not its content
    boolean isOf(Edition<List<Pipeline>> other) {
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
    @SuppressWarnings("ReferenceEquality") // a flushed slice may have empty accounts, too
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

    /** Whether an aggregator threw at a record of it, so that each has to be tried before it is folded. */
    boolean isCareful() {
        return isCareful;
    }

    void beCareful() {
        isCareful = true;
    }

    /** Whether the view showed the cycle, and all parts that were staged before come from their owners. */
    boolean isVouchedFor() {
        return isVouchedFor;
    }

    void vouchFor() {
        isVouchedFor = true;
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
