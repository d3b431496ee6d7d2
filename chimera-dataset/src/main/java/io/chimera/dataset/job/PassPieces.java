package io.chimera.dataset.job;

import io.chimera.dataset.compute.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places of the pieces of one pass of a merge: all pieces of the first groups that fit into the memory, from a group
 * on. When the memory is full, the last groups are left for a later pass. So the memory has a bound, and the order of
 * the merged pieces does not depend on the bound. One thread.
 */
final class PassPieces {
    /** Memory of a place: a piece with 40 bytes, its place with 24, and references, also those of the sort. */
    private static final int BYTES_PER_PIECE = 80;

    /** Order of the merge; the sort keeps the order of the splits within a group. */
    private static final Comparator<Place> ORDER = Comparator.comparingLong(
                    (Place place) -> place.piece().startNs())
            .thenComparingInt(place -> place.piece().pipeline());

    private final MergeGroup from;
    private final int piecesMax;
    private final List<Place> places = new ArrayList<>();

    /** First group of a later pass; null while no group is left out. */
    private @Nullable MergeGroup end;

    /**
     * Place of a piece.
     *
     * @param piece the piece
     * @param split number of the split
     */
    record Place(Piece piece, int split) {}

    /** Receives groups. */
    @FunctionalInterface
    interface GroupTaker {
        /**
         * Takes a group.
         *
         * @param group the group
         * @param places its pieces in the order of the splits; valid during the call
         */
        void take(MergeGroup group, List<Place> places) throws IOException;
    }

    /**
     * Begins a pass.
     *
     * @param from first group of the pass
     * @param piecesMax maximum number of pieces
     */
    PassPieces(MergeGroup from, int piecesMax) {
        this.from = from;
        this.piecesMax = piecesMax;
    }

    /** Returns the number of pieces that fit into a memory. */
    static int piecesMax(long bytes) {
        return (int) Math.max(1, Math.min(1 << 30, bytes / BYTES_PER_PIECE));
    }

    /**
     * Takes a piece of the pass, and drops any other piece.
     *
     * @param piece the piece
     * @param split its split; never less than that of the last call
     */
    void add(Piece piece, int split) {
        if (!isInPass(piece)) {
            return;
        }
        if (places.size() == piecesMax) {
            leaveLastGroups();
            if (!isInPass(piece)) {
                return;
            }
        }
        places.add(new Place(piece, split));
    }

    private boolean isInPass(Piece piece) {
        return !from.isAfter(piece) && (end == null || end.isAfter(piece));
    }

    /** Leaves the groups of about half of the pieces for a later pass. */
    private void leaveLastGroups() {
        places.sort(ORDER);
        int kept = beginOfGroup(places.size() / 2);
        if (kept == 0) {
            kept = endOfGroup(0);
        }
        if (kept == places.size()) {
            kept = 0; // one group fills the memory: it begins the next pass, or needs no places
        }
        end = MergeGroup.of(places.get(kept).piece());
        places.subList(kept, places.size()).clear();
    }

    private int beginOfGroup(int index) {
        MergeGroup group = MergeGroup.of(places.get(index).piece());
        int begin = index;
        while (begin > 0 && group.has(places.get(begin - 1).piece())) {
            begin--;
        }
        return begin;
    }

    private int endOfGroup(int index) {
        MergeGroup group = MergeGroup.of(places.get(index).piece());
        int end = index + 1;
        while (end < places.size() && group.has(places.get(end).piece())) {
            end++;
        }
        return end;
    }

    /** Returns whether the first group alone does not fit into the memory; the pass then has no pieces. */
    boolean isFirstGroupTooLong() {
        return from.equals(end);
    }

    /** Returns the first group of the next pass; null when this pass has all further pieces. */
    @Nullable
    MergeGroup end() {
        return end;
    }

    /**
     * Gives the groups in the order of the merge.
     *
     * @param taker receives the pieces of each group, in the order of the splits
     * @throws IOException of the taker
     */
    void giveTo(GroupTaker taker) throws IOException {
        places.sort(ORDER);
        int end;
        for (int begin = 0; begin < places.size(); begin = end) {
            end = endOfGroup(begin);
            taker.take(MergeGroup.of(places.get(begin).piece()), places.subList(begin, end));
        }
    }

    /** Returns the number of windows in the pass. */
    int windows() {
        places.sort(ORDER);
        int windows = 0;
        for (int i = 0; i < places.size(); i++) {
            windows += i == 0 || startNs(i) != startNs(i - 1) ? 1 : 0;
        }
        return windows;
    }

    private long startNs(int index) {
        return places.get(index).piece().startNs();
    }
}
