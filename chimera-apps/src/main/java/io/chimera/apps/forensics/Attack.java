package io.chimera.apps.forensics;

import java.util.concurrent.TimeUnit;

/**
 * A two-stage attack (Hyperion 2007, Figure 17): the attacker X takes host A over, from there host B, and installs a bot. It
 * contacts the master Z over IRC, gets a command long after, and sends spam.
 *
 * @param attacker X, outside; as a dotted IPv4 address, like the others
 * @param foothold A, inside
 * @param bot B, inside
 * @param master Z, outside
 * @param startNs when the captures begin, ns since 1970
 */
public record Attack(String attacker, String foothold, String bot, String master, long startNs) {
    /** How long the captures are, in seconds. */
    public static final long SECONDS = 20 * 60;

    /** X looks for open ports; then it takes A over. */
    static final long SCAN_S = 6 * 60;

    static final long BREAK_IN_S = 7 * 60;

    /** From A to B: what the questions call T-2. */
    static final long SECOND_STAGE_S = 7 * 60 + 50;

    /** B contacts Z: T-1. */
    static final long CONTACT_S = 8 * 60;

    /** Z commands, and B sends spam: T0. */
    static final long SPAM_S = 15 * 60;

    /** T0: B begins to send spam. */
    public long spamNs() {
        return atNs(SPAM_S, 0);
    }

    /** T-1: B contacts Z. */
    public long contactNs() {
        return atNs(CONTACT_S, 0);
    }

    /** T-2: A connects to B. */
    public long intrusionNs() {
        return atNs(SECOND_STAGE_S, 0);
    }

    /** A moment of the attack. */
    long atNs(long seconds, long ms) {
        return startNs + TimeUnit.SECONDS.toNanos(seconds) + TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
