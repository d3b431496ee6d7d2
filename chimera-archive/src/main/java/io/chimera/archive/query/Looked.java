package io.chimera.archive.query;

import io.chimera.archive.index.Interval;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;

/**
 * What looking at every item of one interval found: where those are that match. Written by the thread that looks, read by whoever asks
 * once it is done; used again for another interval.
 */
final class Looked {
    private static final int PLACES = 64;

    private final RecordView record = new RecordView();
    private int[] places = new int[PLACES];
    private int matches;
    private int next;
    private long items;
    private long bytes;
    private long unasked;
    private boolean isThere;
    private ChimeraException damage;

    /** Nothing was looked at yet. */
    Looked() {}

    /**
     * Looks at an interval.
     *
     * @param reader that has read ahead
     * @param through the items of the interval
     */
    void at(Interval interval, StreamReader reader, Items through, Question question) {
        clear();
        try {
            if (!reader.read(interval.data(), record)) {
                return;
            }
            through.open(record);
            isThere = true;
            bytes = record.buffer().capacity();
            look(through, question);
        } catch (QuestionException e) {
            unasked = through.count(); // items of this kind cannot match, and do not hide those that can
        } catch (ChimeraException e) {
            damage = e;
        }
    }

    private void clear() {
        matches = 0;
        next = 0;
        items = 0;
        bytes = 0;
        unasked = 0;
        isThere = false;
        damage = null;
    }

    private void look(Items through, Question question) {
        long afterNs = question.afterNs();
        long beforeNs = question.beforeNs();
        while (through.next()) {
            items++;
            long timeNs = through.timeNs();
            if (timeNs >= afterNs && timeNs <= beforeNs && through.matches()) {
                if (matches == places.length) {
                    places = Arrays.copyOf(places, 2 * matches);
                }
                places[matches++] = through.place();
            }
        }
    }

    /** Goes on to the next place of an item that matches; false: there is none. */
    boolean next() {
        next++;
        return next <= matches;
    }

    /** The place that was gone to. */
    int place() {
        return places[next - 1];
    }

    int matches() {
        return matches;
    }

    /** The record, as long as its reader keeps it. */
    RecordView record() {
        return record;
    }

    /** How many items were looked at. */
    long items() {
        return items;
    }

    /** Of the record. */
    long bytes() {
        return bytes;
    }

    /** Items of a kind that cannot be asked so. */
    long unasked() {
        return unasked;
    }

    /** Whether the interval was read, be it in part. */
    boolean isThere() {
        return isThere;
    }

    /** What is wrong with it; null: nothing. */
    ChimeraException damage() {
        return damage;
    }
}
