package io.chimera.apps.forensics;

import java.util.concurrent.TimeUnit;

/**
 * Two-stage attack (Hyperion 2007, Figure 17). The attacker X breaks into host A, from there into host B, and installs
 * a bot. The bot contacts the master Z over IRC, receives a command long after, and sends spam.
 *
 * @param attacker X, outside; a dotted IPv4 address, like all addresses here
 * @param foothold A, inside
 * @param bot B, inside
 * @param master Z, outside
 * @param startNs begin of the captures, ns since 1970
 */
public record TwoStageAttack(String attacker, String foothold, String bot, String master, long startNs) {
    /** Length of the captures in seconds. */
    public static final long SECONDS = 20 * 60;

    /** X scans for open ports, and later breaks into A. */
    static final long SCAN_S = 6 * 60;

    static final long BREAK_IN_S = 7 * 60;

    /** A attacks B: T-2 in the questions. */
    static final long SECOND_STAGE_S = 7 * 60 + 50;

    /** B contacts Z: T-1 in the questions. */
    static final long CONTACT_S = 8 * 60;

    /** Z sends the command, and B sends spam: T0 in the questions. */
    static final long SPAM_S = 15 * 60;

    /** Returns T0: B begins to send spam. */
    public long spamNs() {
        return atNs(SPAM_S, 0);
    }

    /** Returns T-1: B contacts Z. */
    public long contactNs() {
        return atNs(CONTACT_S, 0);
    }

    /** Returns T-2: A connects to B. */
    public long intrusionNs() {
        return atNs(SECOND_STAGE_S, 0);
    }

    /** Returns the absolute time of a moment of the attack, ns since 1970. */
    long atNs(long seconds, long ms) {
        return startNs + TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
