package io.chimera.apps.voip;

import java.util.SplittableRandom;

/**
 * Generates the calls of a {@link CallPlan} in the order of their times, always the same for the same plan. Every user
 * has a few friends, the callees of most calls. One thread.
 */
public final class CallSource {
    private static final int FRIENDS = 12;
    private static final int SWITCHES = 32;

    // per hundred calls
    private static final int TO_FRIENDS = 80;
    private static final int FAILED = 12;
    private static final int FAILED_OF_TELEMARKETERS = 35;
    private static final int TO_CALL_CENTRES = 1;

    // mean seconds of answered calls
    private static final int USUAL_S = 150;
    private static final int TELEMARKETER_S = 12;
    private static final int DURATION_MAX_S = 7_200;

    private static final long NS_PER_S = 1_000_000_000L;
    private static final int[] FAILURES = {404, 408, 480, 486, 487, 603};

    private final CallPlan plan;
    private final SplittableRandom random;
    private final long startNs;
    private final double telemarketing;
    private final double centres;
    private long calls;

    /**
     * Creates a source.
     *
     * @param startNs time of the first call, nanoseconds since 1970
     */
    public CallSource(CallPlan plan, long startNs) {
        this.plan = plan;
        this.startNs = startNs;
        random = new SplittableRandom(plan.seed());
        telemarketing = plan.telemarketers() * CallPlan.BUSY_RATE / plan.rate();
        centres = 2 * telemarketing;
    }

    /**
     * Appends the next call as a line.
     *
     * @param out the text
     */
    public void next(StringBuilder out) {
        double kind = random.nextDouble();
        int busy = plan.telemarketers();
        if (kind < telemarketing) {
            append(out, random.nextInt(busy), anybody(), FAILED_OF_TELEMARKETERS, TELEMARKETER_S);
        } else if (kind < centres) {
            append(out, busy + random.nextInt(busy), anybody(), FAILED, USUAL_S);
        } else {
            int caller = usual();
            append(out, caller, calleeOf(caller), FAILED, USUAL_S);
        }
    }

    private int anybody() {
        return 2 * plan.telemarketers() + random.nextInt(plan.users() - 2 * plan.telemarketers());
    }

    /** Draws an ordinary caller; low numbers call much more often than high numbers. */
    private int usual() {
        int first = 2 * plan.telemarketers();
        double unit = random.nextDouble();
        return first + (int) (unit * unit * (plan.users() - first));
    }

    private int calleeOf(int caller) {
        int drawn = random.nextInt(100);
        if (drawn < TO_CALL_CENTRES && plan.telemarketers() > 0) {
            return plan.telemarketers() + random.nextInt(plan.telemarketers());
        }
        int callee = drawn < TO_FRIENDS ? friend(caller, random.nextInt(FRIENDS)) : anybody();
        return callee == caller ? friend(caller, FRIENDS) : callee;
    }

    private int friend(int of, int index) {
        int first = 2 * plan.telemarketers();
        long mixed = SeenPairs.mix(plan.seed() ^ (long) of * (FRIENDS + 1) + index);
        return first + (int) Long.remainderUnsigned(mixed, plan.users() - first);
    }

    private void append(StringBuilder out, int caller, int callee, int failed, int meanS) {
        boolean isFailed = random.nextInt(100) < failed;
        int code = isFailed ? FAILURES[random.nextInt(FAILURES.length)] : 200;
        double drawn = -StrictMath.log(1 - random.nextDouble()) * meanS;
        int duration = isFailed ? 0 : 1 + (int) Math.min(DURATION_MAX_S, drawn);
        long timeNs = startNs + calls / plan.rate() * NS_PER_S + calls % plan.rate() * NS_PER_S / plan.rate();
        calls++;
        out.append(CallText.METRIC)
                .append(",switch=s")
                .append(caller % SWITCHES)
                .append(' ')
                .append(CallText.CALLER)
                .append("=\"")
                .append(CallPlan.number(caller))
                .append("\",")
                .append(CallText.CALLEE)
                .append("=\"")
                .append(CallPlan.number(callee))
                .append("\",")
                .append(CallText.DURATION)
                .append('=')
                .append(duration)
                .append("i,")
                .append(CallText.CODE)
                .append('=')
                .append(code)
                .append("i ")
                .append(timeNs)
                .append('\n');
    }
}
