package io.chimera.apps.voip;

import io.chimera.api.HotPath;

/**
 * Filters of a partition of users, and the scores derived from the filters. A score is near 1 for a user with many
 * calls, always to new callees, few received calls and short durations, and near 0 for a user with few calls. A score
 * depends only on the given calls and their order. Memory is fixed; a call allocates no memory. One thread.
 */
public final class CallFilters {
    /** SIP response codes from this value on mean an unanswered call. */
    private static final int FAILURE = 300;

    // weights of the parts of a score; their sum is 1
    private static final double FRESH_WEIGHT = 0.35;
    private static final double OUT_WEIGHT = 0.30;
    private static final double SHORT_WEIGHT = 0.25;
    private static final double FAILED_WEIGHT = 0.10;

    private final VoipSettings settings;
    private final UserRates rates;
    private final SeenPairs pairs;
    private final EpochClock clock;

    /** Creates empty filters. */
    public CallFilters(VoipSettings settings) {
        this.settings = settings;
        rates = new UserRates(settings.cells());
        pairs = new SeenPairs(settings.pairBits());
        clock = new EpochClock(settings.epochMs());
    }

    /**
     * Adds a call to the rates of its caller.
     *
     * @param user hash of the caller, all bits mixed
     * @param callee hash of the callee
     * @param timeNs nanoseconds since 1970
     * @param durationS seconds; negative values count as 0
     * @param code SIP response code
     * @return score of the caller
     */
    @HotPath
    public double called(long user, long callee, long timeNs, long durationS, long code) {
        float scale = begin(user, timeNs);
        boolean isFailed = code >= FAILURE;
        rates.addCall(
                scale,
                pairs.add(user, callee) ? scale : 0,
                isFailed ? scale : 0,
                isFailed ? 0 : Math.max(0, durationS) * scale);
        return score(scale);
    }

    /**
     * Adds a call to the rates of its callee.
     *
     * @param user hash of the callee, all bits mixed
     * @param timeNs nanoseconds since 1970
     * @return score of the callee
     */
    @HotPath
    public double wasCalled(long user, long timeNs) {
        float scale = begin(user, timeNs);
        rates.addReceived(scale);
        return score(scale);
    }

    private float begin(long user, long timeNs) {
        for (int ends = clock.endsBefore(timeNs); ends > 0; ends--) {
            rates.endEpoch();
            pairs.endEpoch();
        }
        rates.find(user);
        return clock.scale(timeNs);
    }

    private double score(float scale) {
        rates.read(scale);
        double calls = rates.rate(UserRates.CALLS);
        if (calls <= 0) {
            return 0;
        }
        double answered = Math.max(0, calls - rates.rate(UserRates.FAILED)) + 1;
        double shortCalls = answered * settings.shortS();
        double parts = FRESH_WEIGHT * Math.min(1, rates.rate(UserRates.FRESH) / calls)
                + OUT_WEIGHT * calls / (calls + rates.rate(UserRates.RECEIVED))
                + SHORT_WEIGHT * shortCalls / (shortCalls + rates.rate(UserRates.TALK))
                + FAILED_WEIGHT * Math.min(1, rates.rate(UserRates.FAILED) / calls);
        return parts * calls / (calls + settings.calls());
    }

    /** Clears the filters if the current epoch is later than the epoch of a moment. */
    void forgetBeyond(long timeNs) {
        if (clock.isBehind(timeNs)) {
            rates.clear();
            pairs.clear();
            clock.clear();
        }
    }
}
