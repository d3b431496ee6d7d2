package io.chimera.apps.voip;

/**
 * Plan of a synthetic telephone network. User numbers begin with the telemarketers. Then follow the call centres, with
 * as many calls as telemarketers, but long ones, and with received calls. All other users come last.
 *
 * @param users number of users
 * @param telemarketers number of telemarketers, and also number of call centres
 * @param rate total calls per second
 * @param seed determines everything else
 */
public record CallPlan(int users, int telemarketers, int rate, long seed) {
    /** Calls per second of a telemarketer or a call centre. */
    static final double BUSY_RATE = 0.1;

    private static final int USERS_MAX = 50_000_000;

    /** Checks the ranges. */
    public CallPlan {
        if (users < 100 || users > USERS_MAX || telemarketers < 0 || telemarketers > users / 10) {
            throw new IllegalArgumentException(
                    "users must be 100 to 50 million, and telemarketers at most a tenth of the users.");
        }
        if (rate < 1 || rate > 10_000_000 || 4 * telemarketers * BUSY_RATE > rate) {
            throw new IllegalArgumentException(
                    "rate must be 1 to 10 million calls per second, and the calls of telemarketers, one per 10 s each,"
                            + " at most a quarter of the rate.");
        }
    }

    /** Returns the telephone number of a user. */
    public static String number(int user) {
        return "39" + (1_000_000_000L + user * 97L);
    }
}
