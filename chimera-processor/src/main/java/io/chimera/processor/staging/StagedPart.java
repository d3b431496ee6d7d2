package io.chimera.processor.staging;

import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.processor.pipeline.Sender;
import io.chimera.processor.staging.warehouse.Warehouse;
import org.agrona.DirectBuffer;

/**
 * Staged data of a part of a shard: the current transmission with its accounts and, for each pipeline with records in
 * the part, a warehouse and a dictionary, or the entries kept for a composition. Staging's thread, until the shard is
 * whole.
 */
final class StagedPart {
    private final PartId id;
    private final Warehouse[] warehouses;
    private final Dictionary[] dictionaries;

    /** Kept entries by pipeline; null while the part has no records of a pipeline with a composition. */
    private BufferedPart[] kept;

    private Sender sender;
    private int transmission;
    private int fingerprint;

    /** Whether the sender owned the part in the view that showed the cycle. */
    private boolean isVouchedFor;

    private PartState state = PartState.EMPTY;
    private int nextIndex;
    private long touchedNs;
    private long copies;
    private long checksum;
    private long aggregated;
    private long late;
    private long rejected;
    private long filtered;

    StagedPart(PartId id, int pipelines, long nowNs) {
        this.id = id;
        warehouses = new Warehouse[pipelines];
        dictionaries = new Dictionary[pipelines];
        touchedNs = nowNs;
    }

    PartId id() {
        return id;
    }

    /** Returns the number of the part. */
    int part() {
        return id.part();
    }

    /** Returns whether a transmission is in progress. */
    boolean isReceiving() {
        return state == PartState.RECEIVING;
    }

    boolean isWhole() {
        return state == PartState.WHOLE;
    }

    /**
     * Returns whether the transmission was dropped for a lasting reason, so that an immediate request makes no sense.
     */
    boolean isRefused() {
        return state == PartState.REFUSED;
    }

    boolean isReceivingFrom(Sender from, int number) {
        return isReceiving() && from.session() == sender.session() && number == transmission;
    }

    /**
     * Returns whether the frame is the next DATA frame of the transmission, or an END with the count of the received
     * frames.
     */
    boolean continues(Sender from, DirectBuffer frame) {
        return isReceivingFrom(from, PartFrame.transmission(frame, 0)) && PartFrame.index(frame, 0) == nextIndex;
    }

    /**
     * Begins a new transmission from nothing.
     *
     * @param isOfOwner whether the view shows the sender as the owner; false for a transmission ahead of the view
     */
    void begin(Sender from, int newTransmission, int newFingerprint, boolean isOfOwner) {
        drop();
        sender = from;
        transmission = newTransmission;
        fingerprint = newFingerprint;
        isVouchedFor = isOfOwner;
        state = PartState.RECEIVING;
    }

    /**
     * Returns whether the transmission was compared with the owner of the part. The answer belongs to the transmission
     * and not to the shard: after a loss of ZooKeeper's data a cycle can be unknown a second time.
     */
    boolean isVouchedFor() {
        return isVouchedFor;
    }

    void vouchFor() {
        isVouchedFor = true;
    }

    /** Returns the sender of the staged transmission, whole or not; null if absent. */
    Sender sender() {
        return sender;
    }

    /** Returns the fingerprint of the sender's pipelines for the transmission. */
    int fingerprint() {
        return fingerprint;
    }

    /** Drops the staged data and ignores the rest of the transmission. */
    void refuse() {
        drop();
        state = PartState.REFUSED;
    }

    /** Drops the staged data after an aggregator threw; the part is requested again from its beginning. */
    void fail() {
        drop();
        state = PartState.FAILED;
    }

    /** Returns whether an aggregator threw at a transmission that has not ended yet. */
    boolean isFailed() {
        return state == PartState.FAILED;
    }

    /** Drops the staged data and releases the memory. */
    void drop() {
        forgetDefinitions();
        for (int i = 0; i < warehouses.length; i++) {
            if (warehouses[i] != null) {
                warehouses[i].clear();
                warehouses[i] = null;
            }
        }
        dropKept();
        sender = null;
        isVouchedFor = false;
        state = PartState.EMPTY;
        nextIndex = 0;
        copies = 0;
        checksum = 0;
        aggregated = 0;
        late = 0;
        rejected = 0;
        filtered = 0;
    }

    /** Adds the accounts of a folded DATA frame. */
    void folded(long frameCopies, long frameChecksum, long newAggregated, long newLate, long newRejected) {
        nextIndex++;
        copies += frameCopies;
        checksum += frameChecksum;
        aggregated += newAggregated;
        late += newLate;
        rejected += newRejected;
    }

    /** Counts a DATA frame of a rejected slice. */
    void counted() {
        nextIndex++;
    }

    /** Ends the transmission of a rejected slice with the accounts of END. */
    void reject(DirectBuffer frame) {
        rejected = PartFrame.word(frame, 0, 0);
        filtered = PartFrame.word(frame, 0, 1);
        copies = PartFrame.word(frame, 0, 2);
        checksum = PartFrame.word(frame, 0, 3);
        state = PartState.WHOLE;
    }

    /** Returns whether the part uses memory for received data. */
    boolean holdsMemory() {
        for (Warehouse warehouse : warehouses) {
            if (warehouse != null) {
                return true;
            }
        }
        return kept != null;
    }

    /** Ends the transmission; false when the totals of END differ from the received data. */
    boolean end(DirectBuffer frame) {
        filtered = PartFrame.word(frame, 0, 1);
        forgetDefinitions();
        state = hasTotalsOf(frame) ? PartState.WHOLE : state;
        return isWhole();
    }

    private boolean hasTotalsOf(DirectBuffer frame) {
        return PartFrame.word(frame, 0, 0) == aggregated + late + rejected
                && PartFrame.word(frame, 0, 2) == copies
                && PartFrame.word(frame, 0, 3) == checksum;
    }

    private void dropKept() {
        if (kept != null) {
            for (BufferedPart each : kept) {
                if (each != null) {
                    each.clear();
                }
            }
            kept = null;
        }
    }

    /**
     * Returns the entries kept for the composition of a pipeline; null when the part has no records of the pipeline.
     */
    BufferedPart kept(int pipeline) {
        return kept == null ? null : kept[pipeline];
    }

    /** Sets the entries kept for the composition of a pipeline. */
    void keep(int pipeline, BufferedPart part) {
        kept = kept == null ? new BufferedPart[warehouses.length] : kept;
        kept[pipeline] = part;
    }

    private void forgetDefinitions() {
        for (int i = 0; i < dictionaries.length; i++) {
            if (dictionaries[i] != null) {
                dictionaries[i].close();
                dictionaries[i] = null;
            }
            if (kept != null && kept[i] != null) {
                kept[i].end();
            }
        }
    }

    /** Returns the time of the last frame or request of the part. */
    long touchedNs() {
        return touchedNs;
    }

    void touch(long nowNs) {
        touchedNs = nowNs;
    }

    /** Returns the warehouse of a pipeline; null when the part has no records of the pipeline. */
    Warehouse warehouse(int pipeline) {
        return warehouses[pipeline];
    }

    /** Returns the dictionary of the current transmission for a pipeline with a warehouse. */
    Dictionary dictionary(int pipeline) {
        return dictionaries[pipeline];
    }

    /** Sets warehouse and dictionary of a pipeline. */
    void stage(int pipeline, Warehouse warehouse, Dictionary dictionary) {
        warehouses[pipeline] = warehouse;
        dictionaries[pipeline] = dictionary;
    }

    long checksum() {
        return checksum;
    }

    long aggregated() {
        return aggregated;
    }

    long late() {
        return late;
    }

    long rejected() {
        return rejected;
    }

    long filtered() {
        return filtered;
    }
}
