package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Counting Bloom filters with exponentially decaying counts: a count halves after each half-life. The filter never
 * decays stored counts. Instead, added amounts are scaled up by two for every half-life since the begin of the epoch,
 * and reads are scaled down by the same factor (exponential time scaling, done lazily). A new epoch begins with empty
 * cells; reads include the cells of the previous epoch, and older cells are cleared. Scales therefore stay small, and a
 * read depends on the last two epochs only.
 *
 * <p>Memory is fixed. A user has three cells, shared with other users; a rate is the minimum of the three, so it is
 * never too small. Cells are floats:
 *
 * <pre>
 *   cell = [ current epoch: one float per feature | previous epoch: one float per feature ]   the halves swap
 * </pre>
 *
 * <p>One thread.
 */
final class UserRates {
    /** Outgoing calls. */
    static final int CALLS = 0;

    /** Outgoing calls to a new callee. */
    static final int FRESH = 1;

    /** Outgoing calls without an answer. */
    static final int FAILED = 2;

    /** Talk time of outgoing calls in seconds. */
    static final int TALK = 3;

    /** Received calls. */
    static final int RECEIVED = 4;

    static final int FEATURES = 5;

    /** Half-lives per epoch. */
    static final int HALF_LIVES = 4;

    private static final int HASH_BITS = 21;
    private static final int CELL = 2 * FEATURES;

    /** Factor between the scales of the previous and the current epoch. */
    private static final float LAST = 1f / (1 << HALF_LIVES);

    private final float[] cells;
    private final long mask;
    private final float[] rates = new float[FEATURES];

    /** Offsets in a cell of the halves of the current and the previous epoch. */
    private int present;

    private int last = FEATURES;

    // cells of the user of the last find()
    private int first;
    private int second;
    private int third;

    /**
     * Creates empty filters.
     *
     * @param count number of cells; a power of two from 1 to 2^21
     */
    UserRates(int count) {
        cells = new float[count * CELL];
        mask = count - 1L;
    }

    /** Selects a user; the other methods apply to this user until the next call. */
    @HotPath
    void find(long user) {
        first = ((int) (user & mask)) * CELL;
        second = ((int) ((user >>> HASH_BITS) & mask)) * CELL;
        third = ((int) ((user >>> (2 * HASH_BITS)) & mask)) * CELL;
    }

    /**
     * Adds an outgoing call of the user, once in each of the user's cells.
     *
     * @param amount one call, scaled up
     * @param fresh the same for a call to a new callee, else 0
     * @param failed the same for an unanswered call, else 0
     * @param talk talk time in seconds, scaled up
     */
    @HotPath
    void addCall(float amount, float fresh, float failed, float talk) {
        addCall(first, amount, fresh, failed, talk);
        if (second != first) {
            addCall(second, amount, fresh, failed, talk);
        }
        if (third != first && third != second) {
            addCall(third, amount, fresh, failed, talk);
        }
    }

    private void addCall(int cell, float amount, float fresh, float failed, float talk) {
        int at = cell + present;
        cells[at + CALLS] += amount;
        cells[at + FRESH] += fresh;
        cells[at + FAILED] += failed;
        cells[at + TALK] += talk;
    }

    /**
     * Adds a received call of the user.
     *
     * @param amount one call, scaled up
     */
    @HotPath
    void addReceived(float amount) {
        cells[first + present + RECEIVED] += amount;
        if (second != first) {
            cells[second + present + RECEIVED] += amount;
        }
        if (third != first && third != second) {
            cells[third + present + RECEIVED] += amount;
        }
    }

    /**
     * Reads all features of the user; see {@link #rate}.
     *
     * @param scale scale of the current moment
     */
    @HotPath
    void read(float scale) {
        float down = 1 / scale;
        for (int feature = 0; feature < FEATURES; feature++) {
            float least = Math.min(sum(first, feature), Math.min(sum(second, feature), sum(third, feature)));
            rates[feature] = least * down;
        }
    }

    private float sum(int cell, int feature) {
        return cells[cell + present + feature] + cells[cell + last + feature] * LAST;
    }

    /** Returns a feature of the user as of the last {@link #read}. */
    float rate(int feature) {
        return rates[feature];
    }

    /** Ends an epoch. */
    void endEpoch() {
        int oldest = last;
        last = present;
        present = oldest;
        for (int cell = 0; cell < cells.length; cell += CELL) {
            Arrays.fill(cells, cell + present, cell + present + FEATURES, 0);
        }
    }

    void clear() {
        Arrays.fill(cells, 0);
    }
}
