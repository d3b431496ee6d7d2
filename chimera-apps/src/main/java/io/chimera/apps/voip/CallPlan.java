package io.chimera.apps.voip;

/**
 * A made-up telephone network. Users are numbered: the telemarketers first, then the call centres, which call as much but talk
 * long and are called back, then everybody else.
 *
 * @param users number of users
 * @param telemarketers how many of them are telemarketers; as many are call centres
 * @param rate calls a second by everybody
 * @param seed decides all else
 */
public record CallPlan(int users, int telemarketers, int rate, long seed) {
    /** Calls a second of a telemarketer, and of a call centre. */
    static final double BUSY_RATE = 0.1;

    private static final int USERS_MAX = 50_000_000;

    /** Checks the ranges. */
    public CallPlan {
        if (users < 100 || users > USERS_MAX || telemarketers < 0 || telemarketers > users / 10) {
            throw new IllegalArgumentException(
                    "There are 100 to 50 million users, and at most a tenth of them are telemarketers.");
        }
        if (rate < 1 || rate > 10_000_000 || 4 * telemarketers * BUSY_RATE > rate) {
            throw new IllegalArgumentException(
                    "There are 1 to 10 million calls a second, and of each telemarketer one every 10 s, which is at most a"
                            + " quarter of them.");
        }
    }

    /** The number of a user as text. */
    public static String number(int user) {
        return "39" + (1_000_000_000L + user * 97L);
    }
}
