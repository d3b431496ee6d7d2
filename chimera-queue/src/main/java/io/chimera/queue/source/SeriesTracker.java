package io.chimera.queue.source;

import io.chimera.api.ColdPath;
import io.chimera.common.access.AccessControl;
import io.chimera.common.access.RateMeter;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.SeriesConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.SeriesFlyweight;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the series of one input: known series, their senders, and the limits for new series. Encoders ask only about
 * series missing from their own dictionary, so a point of a known series costs nothing here. Memory: 16 bytes per
 * series on average, bounded by the limits, plus {@value #SENDERS_MAX} senders. Thread-safe.
 *
 * <pre>
 *   entry   63              17   16    15           0
 *           +-----------------+------+--------------+
 *           | hash of the key | seen | sender       |     0: the place is free
 *           +-----------------+------+--------------+
 *   seen    parity of the window in which an encoder asked for the series last
 * </pre>
 */
public final class SeriesTracker {
    private static final Logger LOG = LoggerFactory.getLogger(SeriesTracker.class);

    /** Maximum number of accounts; further senders share one account. */
    static final int SENDERS_MAX = 10_000;

    /** Period after a start without a rate limit: every series is new until all senders have sent once. */
    static final long LEARNING_NS = TimeUnit.MINUTES.toNanos(10);

    /** Number of tags in the status. */
    private static final int TAGS_SHOWN = 5;

    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long SECONDS_PER_MINUTE = 60;
    private static final int PLACES_FIRST = 1 << 10;
    private static final int SENDER_BITS = 16;
    private static final long SENDER_MASK = (1L << SENDER_BITS) - 1;
    private static final long SEEN = 1L << SENDER_BITS;
    private static final long HASH_MASK = -(SEEN << 1);

    /** Account of all senders beyond the limit of senders. */
    private static final Object OTHERS = "(other senders)";

    private static final String WORDS = "too many new series: ";
    private static final int PREFIX = WORDS.length();

    /** Share of one sender. */
    private static final class Account {
        private final Object sender;
        private final int number;
        private final RateMeter rate;
        private int series;

        Account(Object sender, int number, RateMeter rate) {
            this.sender = sender;
            this.number = number;
            this.rate = rate;
        }
    }

    /**
     * Statistics of an input's series.
     *
     * @param known current number of series
     * @param refused number of points of new series refused since the start
     * @param reason reason of the refusals within the last minute; empty without refusals
     * @param tags tags with the most values among the new series of the current window
     */
    public record Status(int known, long refused, String reason, Map<String, Long> tags) {}

    private final String input;
    private final SeriesConfig limits;
    private final AccessControl access;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final TagValues tags = new TagValues();
    private final Map<Object, Account> accountOf = new HashMap<>();
    private final List<Account> accounts = new ArrayList<>();
    private final Deque<Integer> freeNumbers = new ArrayDeque<>();
    private final RateMeter rate;
    private final long startedNs;
    private long[] places = new long[PLACES_FIRST];
    private int known;
    private long seen;
    private long windowSinceNs;
    private long refused;
    private long refusedAtNs;
    private long loggedAtNs;
    private boolean hasLogged;
    private String reason = "";
    private volatile int window;

    /** Creates a tracker without known series. */
    public SeriesTracker(
            String input, SeriesConfig limits, AccessControl access, Clock clock, Counters<QueueCounter> counters) {
        this.input = input;
        this.limits = limits;
        this.access = access;
        this.clock = clock;
        this.counters = counters;
        startedNs = clock.nanoTime();
        windowSinceNs = startedNs;
        rate = new RateMeter(limits.perMinute(), SECONDS_PER_MINUTE, startedNs);
        account(OTHERS, startedNs);
    }

    /**
     * Number of the current window. When the number changes, encoders ask about all series again, so that unused series
     * can be evicted.
     */
    int window() {
        return window;
    }

    /**
     * Whether points of a series are accepted.
     *
     * @param series series unknown to an encoder
     * @param sender name of a principal, or a client's address
     */
    synchronized boolean admits(SeriesFlyweight series, Object sender) {
        long nowNs = clock.nanoTime();
        if (nowNs - windowSinceNs >= limits.forgetAfter().toNanos()) {
            forgetUnseen(nowNs);
        }
        long hash = hashOf(series.keyHash());
        int place = placeOf(hash);
        if (places[place] != 0) {
            places[place] = (places[place] & ~SEEN) | seen;
            return true;
        }
        tags.add(series);
        Account account = account(sender, nowNs);
        String limit = limitReached(account, sender, nowNs);
        if (!limit.isEmpty()) {
            refuse(limit, sender, nowNs);
            return false;
        }
        rate.charge(1, nowNs);
        account.rate.charge(1, nowNs);
        account.series++;
        counters.increment(QueueCounter.SOURCE_SERIES_NEW);
        places[place] = hash | seen | account.number;
        if (++known > places.length / 2) {
            rebuild(2 * places.length, false);
        }
        return true;
    }

    private String limitReached(Account account, Object sender, long nowNs) {
        boolean isLearning = nowNs - startedNs < LEARNING_NS;
        if (limits.max() > 0 && known >= limits.max()) {
            return "the input knows " + limits.max() + " series (limits.series.max)";
        }
        if (limits.senderMax() > 0 && account.series >= limits.senderMax()) {
            return "the sender has " + limits.senderMax() + " series (limits.series.sender_max)";
        }
        if (!isLearning && rate.waitSeconds(nowNs) > 0) {
            return "the input takes " + limits.perMinute() + " new series a minute (limits.series.per_minute)";
        }
        if (!isLearning && account.rate.waitSeconds(nowNs) > 0) {
            return "a sender may begin " + limits.senderPerMinute()
                    + " new series a minute (limits.series.sender_per_minute)";
        }
        return sender instanceof String principal && !access.takeSeries(principal)
                ? "the quota new_series of " + principal + " is used up"
                : "";
    }

    private void refuse(String limit, Object sender, long nowNs) {
        if (!reason.isEmpty()
                && nowNs - refusedAtNs < TimeUnit.SECONDS.toNanos(1)
                && reason.startsWith(limit, PREFIX)) {
            return; // the current reason is still valid
        }
        refusedAtNs = nowNs;
        StringBuilder text = new StringBuilder(WORDS).append(limit);
        List<TagValues.Count> top = tags.top(1);
        if (!top.isEmpty()) {
            text.append("; tag with the most values among new series: ")
                    .append(top.get(0).tag())
                    .append(" (about ")
                    .append(top.get(0).values())
                    .append(')');
        }
        reason = text.toString();
        if (!hasLogged || nowNs - loggedAtNs >= MINUTE_NS) {
            hasLogged = true;
            loggedAtNs = nowNs;
            LOG.warn(
                    "Refused points of new series: input={} sender={} refused={} reason={}.",
                    input,
                    name(sender),
                    refused,
                    reason);
        }
    }

    private static String name(Object sender) {
        return sender instanceof InetAddress address ? address.getHostAddress() : sender.toString();
    }

    /** Counts a refused point; returns the reason. */
    @ColdPath
    synchronized String countRefused() {
        refused++;
        counters.increment(QueueCounter.SOURCE_SERIES_REFUSED);
        return reason;
    }

    private Account account(Object sender, long nowNs) {
        Account found = accountOf.get(sender);
        if (found != null) {
            return found;
        }
        if (accountOf.size() > SENDERS_MAX) {
            return accounts.get(0);
        }
        int number = freeNumbers.isEmpty() ? accounts.size() : freeNumbers.pop();
        Account made = new Account(sender, number, new RateMeter(limits.senderPerMinute(), SECONDS_PER_MINUTE, nowNs));
        if (number == accounts.size()) {
            accounts.add(made);
        } else {
            accounts.set(number, made);
        }
        accountOf.put(sender, made);
        return made;
    }

    /** Returns the stored bits of a hash; never 0. */
    private static long hashOf(long keyHash) {
        long hash = keyHash & HASH_MASK;
        return hash == 0 ? SEEN << 1 : hash;
    }

    private int placeOf(long hash) {
        int mask = places.length - 1;
        int place = (int) (hash >>> 32) & mask;
        while (places[place] != 0 && (places[place] & HASH_MASK) != hash) {
            place = (place + 1) & mask;
        }
        return place;
    }

    /** Ends a window: removes the series not requested by any encoder during the window. */
    private void forgetUnseen(long nowNs) {
        windowSinceNs = nowNs;
        accounts.forEach(account -> account.series = 0);
        rebuild(places.length, true);
        int needed = Math.max(PLACES_FIRST, Integer.highestOneBit(Math.max(1, known)) << 2);
        if (needed < places.length) {
            rebuild(needed, false);
        }
        for (Account account : accounts) {
            if (account.number > 0 && account.series == 0 && accountOf.remove(account.sender, account)) {
                freeNumbers.push(account.number);
            }
        }
        tags.clear();
        seen ^= SEEN;
        int ended = window;
        window = ended + 1;
    }

    private void rebuild(int length, boolean isForgetting) {
        long[] old = places;
        places = new long[length];
        known = 0;
        for (long entry : old) {
            if (entry != 0 && (!isForgetting || (entry & SEEN) == seen)) {
                places[placeOf(entry & HASH_MASK)] = entry;
                known++;
                if (isForgetting) {
                    accounts.get((int) (entry & SENDER_MASK)).series++;
                }
            }
        }
    }

    synchronized int places() {
        return places.length;
    }

    synchronized int senders() {
        return accounts.size();
    }

    /** Returns statistics of the input's series. */
    public synchronized Status status() {
        Map<String, Long> top = new LinkedHashMap<>();
        tags.top(TAGS_SHOWN).forEach(count -> top.put(count.tag(), count.values()));
        boolean isRecent = !reason.isEmpty() && clock.nanoTime() - refusedAtNs < MINUTE_NS;
        return new Status(known, refused, isRecent ? reason : "", top);
    }
}
