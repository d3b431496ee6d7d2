package io.chimera.apps.voip;

import java.time.Duration;

/**
 * Settings of {@code voip_score}; all optional.
 *
 * @param window range of the counted calls: the current and the previous half window, with a half-life of an eighth of
 *     the window; default 10m
 * @param cells number of cells for the rates of a partition's users, 40 bytes each; a power of two; default 8192
 * @param pairBits bits per epoch for the caller-callee pairs of a partition, in two epochs; a power of two; default
 *     65536
 * @param calls decayed number of calls at which a score reaches half of its maximum; default 2
 * @param shortS mean duration in seconds at which calls count half as short; default 30
 * @param limit scores above the limit raise an alert; default 0.65
 */
public record VoipSettings(
        Duration window, Integer cells, Integer pairBits, Double calls, Double shortS, Double limit) {
    private static final int BITS_MAX = 1 << 21;
    private static final Duration WINDOW_MIN = Duration.ofSeconds(1);
    private static final Duration WINDOW_MAX = Duration.ofDays(30);

    /** All defaults; declared after the limits, because its construction checks against them. */
    public static final VoipSettings DEFAULT = new VoipSettings(null, null, null, null, null, null);

    /** Fills in the defaults and checks the ranges. */
    public VoipSettings {
        window = window == null ? Duration.ofMinutes(10) : window;
        cells = cells == null ? 8192 : cells;
        pairBits = pairBits == null ? 65_536 : pairBits;
        calls = calls == null ? 2.0 : calls;
        shortS = shortS == null ? 30.0 : shortS;
        limit = limit == null ? 0.65 : limit;
        if (window.compareTo(WINDOW_MIN) < 0 || window.compareTo(WINDOW_MAX) > 0) {
            throw new IllegalArgumentException("window must be 1s to 30d");
        }
        requirePowerOfTwo("cells", cells);
        requirePowerOfTwo("pair_bits", pairBits);
        if (!(calls > 0) || !(shortS > 0)) {
            throw new IllegalArgumentException("calls and short_s must be more than 0");
        }
    }

    private static void requirePowerOfTwo(String key, int value) {
        if (value < Long.SIZE || value > BITS_MAX || Integer.bitCount(value) != 1) {
            throw new IllegalArgumentException(key + " must be a power of two from 64 to " + BITS_MAX);
        }
    }

    /** Returns the length of an epoch: half a window. */
    long epochMs() {
        return window.toMillis() / 2;
    }
}
