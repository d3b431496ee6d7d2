package io.chimera.processor.staging;

import io.chimera.common.wire.PartFrame;
import io.chimera.processor.Sender;
import io.chimera.processor.staging.warehouse.Warehouse;
import org.agrona.DirectBuffer;

/**
 * What is staged of one part of a shard: the transmission that is being received, its accounts, and, per
 * pipeline that has records in it, a warehouse and what the transmission has defined, or where it has a composition what that
 * takes. Staging's thread, until the shard is whole.
 */
final class StagedPart {
    private final int part;
    private final Warehouse[] warehouses;
    private final Dictionary[] dictionaries;

    /** By pipeline; null as long as no pipeline with a composition has records in the part. */
    private KeptPart[] kept;

    private Sender sender;
    private int transmission;
    private int fingerprint;
    private int nextIndex;
    private boolean isWhole;
    private boolean isRefused;
    private boolean isFailed;
    private long touchedNs;
    private long copies;
    private long checksum;
    private long aggregated;
    private long late;
    private long rejected;
    private long filtered;

    StagedPart(int part, int pipelines, long nowNs) {
        this.part = part;
        warehouses = new Warehouse[pipelines];
        dictionaries = new Dictionary[pipelines];
        touchedNs = nowNs;
    }

    int part() {
        return part;
    }

    /** Whether a transmission is being received. */
    boolean isReceiving() {
        return sender != null && !isWhole;
    }

    boolean isWhole() {
        return isWhole;
    }

    /** Whether what came was dropped for good reason, so that it makes no sense to ask for it at once. */
    boolean isRefused() {
        return isRefused;
    }

    boolean isReceivingFrom(Sender from, int number) {
        return isReceiving() && from.session() == sender.session() && number == transmission;
    }

    /** Whether the frame is the next DATA frame of the transmission, or an END that counts as many as came. */
    boolean continues(Sender from, DirectBuffer frame) {
        return isReceivingFrom(from, PartFrame.transmission(frame, 0)) && PartFrame.index(frame, 0) == nextIndex;
    }

    /** Begins a transmission from nothing. */
    void begin(Sender from, int newTransmission, int newFingerprint) {
        drop();
        sender = from;
        transmission = newTransmission;
        fingerprint = newFingerprint;
    }

    /** Sender of the transmission that is staged, whole or not; null when there is none. */
    Sender sender() {
        return sender;
    }

    /** Fingerprint of the pipelines by which that transmission is sent. */
    int fingerprint() {
        return fingerprint;
    }

    /** Drops what is staged; the rest of the transmission is not wanted. */
    void refuse() {
        drop();
        isRefused = true;
    }

    /** An aggregator threw: drops what is staged; the part is wanted once more, from the beginning. */
    void fail() {
        drop();
        isFailed = true;
    }

    /** Whether an aggregator threw at the transmission that is still on its way. */
    boolean isFailed() {
        return isFailed;
    }

    /** Forgets what is staged and gives its memory back. */
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
        isWhole = false;
        isRefused = false;
        isFailed = false;
        nextIndex = 0;
        copies = 0;
        checksum = 0;
        aggregated = 0;
        late = 0;
        rejected = 0;
        filtered = 0;
    }

    /** A DATA frame was folded. */
    void folded(long frameCopies, long frameChecksum, long newAggregated, long newLate, long newRejected) {
        nextIndex++;
        copies += frameCopies;
        checksum += frameChecksum;
        aggregated += newAggregated;
        late += newLate;
        rejected += newRejected;
    }

    /** A DATA frame of a slice that is rejected came. */
    void counted() {
        nextIndex++;
    }

    /** Closes the transmission of a slice that is rejected: its accounts are those that END names. */
    void reject(DirectBuffer frame) {
        rejected = PartFrame.word(frame, 0, 0);
        filtered = PartFrame.word(frame, 0, 1);
        copies = PartFrame.word(frame, 0, 2);
        checksum = PartFrame.word(frame, 0, 3);
        isWhole = true;
    }

    /** Whether memory is used for what came. */
    boolean holdsMemory() {
        for (Warehouse warehouse : warehouses) {
            if (warehouse != null) {
                return true;
            }
        }
        return kept != null;
    }

    /** Closes the transmission; false when what END says is not what was received. */
    boolean end(DirectBuffer frame) {
        isWhole = PartFrame.word(frame, 0, 0) == aggregated + late + rejected
                && PartFrame.word(frame, 0, 2) == copies
                && PartFrame.word(frame, 0, 3) == checksum;
        filtered = PartFrame.word(frame, 0, 1);
        forgetDefinitions();
        return isWhole;
    }

    private void dropKept() {
        if (kept != null) {
            for (KeptPart each : kept) {
                if (each != null) {
                    each.clear();
                }
            }
            kept = null;
        }
    }

    /** What is kept for the composition of a pipeline; null when it has no records in this part. */
    KeptPart kept(int pipeline) {
        return kept == null ? null : kept[pipeline];
    }

    /** Gives the part room to keep what a composition takes. */
    void keep(int pipeline, KeptPart part) {
        kept = kept == null ? new KeptPart[warehouses.length] : kept;
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

    /** When something of this part came or was asked for last. */
    long touchedNs() {
        return touchedNs;
    }

    void touch(long nowNs) {
        touchedNs = nowNs;
    }

    /** Warehouse of a pipeline; null when it has no records in this part. */
    Warehouse warehouse(int pipeline) {
        return warehouses[pipeline];
    }

    /** What the transmission that is being received has defined for a pipeline; there is a warehouse for it. */
    Dictionary dictionary(int pipeline) {
        return dictionaries[pipeline];
    }

    /** Gives the part a warehouse for a pipeline, and a dictionary for its records. */
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
