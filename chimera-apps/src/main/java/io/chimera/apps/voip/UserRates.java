package io.chimera.apps.voip;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Counting Bloom filters whose counts decay: what somebody did counts half after each half-life. Nothing is decayed by
 * itself. Instead what is added is scaled up, by two for every half-life since the epoch began, and what is read is scaled down
 * by as much (exponential time scaling, done lazily). A new epoch begins with new cells; those of the last one count on, those of
 * the one before are forgotten. So scales stay small, and what is read depends on nothing but the last two epochs.
 *
 * <p>Memory is fixed. A user has three cells, shared with others; the least of them is taken, so a rate is
 * never too small. Cells are floats:
 *
 * <pre>
 *   cell = [ present epoch: one float per feature | last epoch: one float per feature ]   the halves change places
 * </pre>
 *
 * <p>One thread.
 */
final class UserRates {
    /** Calls made. */
    static final int CALLS = 0;

    /** Calls made to somebody not called before. */
    static final int FRESH = 1;

    /** Calls made that nobody answered. */
    static final int FAILED = 2;

    /** Seconds talked in calls made. */
    static final int TALK = 3;

    /** Calls received. */
    static final int RECEIVED = 4;

    static final int FEATURES = 5;

    /** Half-lives of an epoch. */
    static final int HALF_LIVES = 4;

    private static final int HASH_BITS = 21;
    private static final int CELL = 2 * FEATURES;

    /** What a count of the last epoch is scaled by to be one of this. */
    private static final float LAST = 1f / (1 << HALF_LIVES);

    private final float[] cells;
    private final long mask;
    private final float[] rates = new float[FEATURES];

    /** Index in the cell of what belongs to the present epoch, and to the last one. */
    private int present;

    private int last = FEATURES;

    // of the user that was found last
    private int first;
    private int second;
    private int third;

    /**
     * Empty filters.
     *
     * @param count of cells; a power of two from 1 to 2^21
     */
    UserRates(int count) {
        cells = new float[count * CELL];
        mask = count - 1L;
    }

    /** Finds the cells of a user; the other methods speak of it until the next call. */
    @HotPath
    void find(long user) {
        first = ((int) (user & mask)) * CELL;
        second = ((int) ((user >>> HASH_BITS) & mask)) * CELL;
        third = ((int) ((user >>> (2 * HASH_BITS)) & mask)) * CELL;
    }

    /**
     * Adds a call that the user made, once in each of its cells.
     *
     * @param amount one call, scaled up
     * @param fresh the same for one to somebody not called before, or 0
     * @param failed the same for one that nobody answered, or 0
     * @param talk seconds talked, scaled up
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
     * Adds a call that the user received.
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
     * @param scale what an amount of this moment is scaled up by
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

    /** The feature of the user when it was read. */
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
