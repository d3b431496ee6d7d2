package io.chimera.common.access;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.config.TokensConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may do what on a node. Without a token file there are no principals, and {@link #isConfigured} is false: ports
 * decide by address alone. The file is read again when it changes; one that is wrong leaves the principals as they are. Any
 * thread.
 */
public final class AccessControl {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    /** Checks of chosen passwords a second. Each takes some 200 ms of an event loop: 2 are less than half of one, whoever asks. */
    private static final int PASSWORD_CHECKS_PER_SECOND = 2;

    /** Names with passwords that were found right and are not derived again. */
    private static final int REMEMBERED_MAX = 1_000;

    private static final long SECONDS_PER_HOUR = 3_600;

    /** What belongs to one reading of the token file: a login that began with an earlier reading leaves nothing in a later one. */
    private record Reading(Principals principals, Map<String, Principal> remembered, Map<String, Meters> meters) {
        Reading(Principals principals) {
            this(principals, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
        }
    }

    private record Meters(Quota quota, RateMeter points, RateMeter bytes, RateMeter series) {}

    private final Path file;
    private final Clock clock;
    private final Counters<AccessCounter> counters;
    private final AuditLog audit;
    private final FailedLogins failed = new FailedLogins();
    private final RefusedClients refusedClients;
    private final RateMeter passwordChecks;
    private final PrincipalConnections connections = new PrincipalConnections();
    private volatile Reading reading = new Reading(Principals.NONE);
    private volatile String problem = "";
    private volatile String cluster = "";
    private volatile Set<String> hosts = Set.of();
    private Object version = "";

    /**
     * Reads the token file.
     *
     * @param file the token file; null where none is configured
     * @param audit failed logins and readings of the file go there; null for none
     * @throws io.chimera.common.config.ConfigException when the file is wrong
     */
    public AccessControl(Path file, Clock clock, Counters<AccessCounter> counters, AuditLog audit) {
        this.file = file;
        this.clock = clock;
        this.counters = counters;
        this.audit = audit;
        refusedClients = new RefusedClients(clock);
        passwordChecks = new RateMeter(PASSWORD_CHECKS_PER_SECOND, clock.nanoTime());
        if (file != null) {
            version = versionOf(file);
            reading = new Reading(new Principals(TokensConfig.read(file)));
        }
    }

    /** Access for everybody, where neither tokens nor addresses are configured. */
    public static AccessControl open(Clock clock) {
        return new AccessControl(null, clock, new Counters<>(AccessCounter.class), null);
    }

    /** Accepts the certificates of a cluster's nodes on the nodes' own ports. Before the first request. */
    public AccessControl ofCluster(String name) {
        cluster = name;
        return this;
    }

    /**
     * Accepts requests to loopback ports whose {@code Host} is one of these names, besides loopback addresses. Before the first
     * request.
     */
    public AccessControl ofHosts(Collection<String> names) {
        hosts = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /** Whether a name in small letters is one of the node's host names. */
    boolean isHost(String name) {
        return hosts.contains(name);
    }

    /** Name of the cluster whose nodes are trusted; empty where none are. */
    String cluster() {
        return cluster;
    }

    /** Whether there is a token file. */
    public boolean isConfigured() {
        return file != null;
    }

    /** What an operator has to know: a token file that is not in force, tokens that are about to expire, clients that were refused. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!problem.isEmpty()) {
            warnings.add(problem);
        }
        warnings.addAll(reading.principals.expiring(clock.epochMs()));
        String refused = refusedClients.warning();
        if (!refused.isEmpty()) {
            warnings.add(refused);
        }
        return warnings;
    }

    /** Reads the token file again if it has changed. One thread. */
    public void refresh() {
        if (file == null) {
            return;
        }
        Object now = versionOf(file);
        if (now.equals(version)) {
            return;
        }
        version = now;
        try {
            reading = new Reading(new Principals(TokensConfig.read(file)));
            problem = "";
            LOG.info("Read the token file again: file={} principals={}.", file, reading.principals.size());
            record("", "", "tokens", file.toString(), "ok");
        } catch (ChimeraException e) {
            problem = "The token file is wrong, and the tokens of before stay in force: " + e.getMessage();
            LOG.warn("{}", problem);
            record("", "", "tokens", file.toString(), "refused");
        }
    }

    private static Object versionOf(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.fileKey();
        } catch (IOException e) {
            return e.getClass().getSimpleName();
        }
    }

    /**
     * Decides about a client that must have a role.
     *
     * @param input name of the input for the role {@link AccessRole#INGEST}; empty for other roles
     * @param target what the client asks for, for messages and the audit log
     */
    Verdict check(Credentials credentials, InetAddress client, AccessRole role, String input, String target) {
        long nowNs = clock.nanoTime();
        if (credentials.isNone()) {
            counters.increment(AccessCounter.UNAUTHENTICATED);
            refusedClients.refused("", client == null ? "" : client.getHostAddress(), target, "no credentials");
            return Verdict.refused(401, target + " needs credentials with the role " + role.text() + ".");
        }
        Reading now = reading;
        // Tokens cannot be guessed, so a right one is accepted from a blocked address, too: others behind it may be
        // wrong.
        boolean isSlow = !credentials.name().isEmpty() && now.principals.isSlow(credentials.name());
        Principal found = isSlow ? now.remembered.get(key(credentials)) : ofToken(now, credentials);
        if (found == null) {
            long blocked = failed.blockedSeconds(client, nowNs);
            if (blocked > 0) {
                counters.increment(AccessCounter.ADDRESSES_BLOCKED);
                return Verdict.later(
                        "Too many failed logins from this address; try again in " + blocked + " s.", blocked);
            }
            if (isSlow) {
                long wait = passwordChecks.waitSeconds(nowNs);
                if (wait > 0) {
                    counters.increment(AccessCounter.PASSWORD_CHECKS_DEFERRED);
                    return Verdict.later("Too many passwords are being checked; try again.", wait);
                }
                passwordChecks.charge(1, nowNs);
                found = ofPassword(now, credentials);
            }
        }
        if (found == null) {
            counters.increment(AccessCounter.LOGINS_FAILED);
            failed.failed(client, nowNs);
            refused("", client, "login", target, "wrong credentials");
            return Verdict.refused(401, "The credentials are wrong.");
        }
        if (found.isExpired(clock.epochMs())) {
            counters.increment(AccessCounter.LOGINS_FAILED);
            refused(found.name(), client, "login", target, "expired");
            return Verdict.refused(401, "The credentials are expired.");
        }
        if (!found.mayDo(role, input)) {
            counters.increment(AccessCounter.FORBIDDEN);
            refused(found.name(), client, "access", target, "forbidden");
            return Verdict.refused(
                    403,
                    "The principal " + found.name() + " lacks the role " + role.text()
                            + (input.isEmpty() ? "" : " for the input " + input) + ".");
        }
        return quota(now, found, nowNs);
    }

    private static String key(Credentials credentials) {
        return HexFormat.of().formatHex(Principals.sha256(credentials.name() + "\n" + credentials.secret()));
    }

    private static Principal ofToken(Reading now, Credentials credentials) {
        return credentials.name().isEmpty()
                ? now.principals.ofToken(credentials.secret())
                : now.principals.ofPassword(credentials.name(), credentials.secret());
    }

    private static Principal ofPassword(Reading now, Credentials credentials) {
        Principal found = now.principals.ofPassword(credentials.name(), credentials.secret());
        if (found != null && now.remembered.size() < REMEMBERED_MAX) {
            now.remembered.put(key(credentials), found);
        }
        return found;
    }

    /**
     * Whether a principal that logged in earlier may go on: it is still in the token file, with the same token or password and with the
     * role, and it has not expired.
     */
    boolean isCurrent(Principal principal, AccessRole role, String input) {
        Principal now = reading.principals.ofName(principal.name());
        return now != null
                && now.secretId().equals(principal.secretId())
                && now.mayDo(role, input)
                && !now.isExpired(clock.epochMs());
    }

    private Verdict quota(Reading now, Principal principal, long nowNs) {
        Meters own = meters(now, principal.name(), nowNs);
        long wait = Math.max(own.points.waitSeconds(nowNs), own.bytes.waitSeconds(nowNs));
        if (wait > 0) {
            counters.increment(AccessCounter.QUOTA_EXCEEDED);
            return Verdict.later(
                    "The quota of " + principal.name() + " is used up; try again in " + wait + " s.", wait);
        }
        return Verdict.of(principal);
    }

    /** Meters of a principal, which begin full; of a name without a principal they limit nothing. */
    private static Meters meters(Reading now, String name, long nowNs) {
        return now.meters.computeIfAbsent(name, absent -> {
            Principal principal = now.principals.ofName(absent);
            Quota quota = principal == null ? Quota.NONE : principal.quota();
            return new Meters(
                    quota,
                    new RateMeter(quota.pointsPerSecond(), nowNs),
                    new RateMeter(quota.bytesPerSecond(), nowNs),
                    new RateMeter(quota.newSeriesPerHour(), SECONDS_PER_HOUR, nowNs));
        });
    }

    /** Charges what a principal has sent; an empty name is charged nothing. */
    public void charge(String principal, long points, long bytes) {
        if (!principal.isEmpty()) {
            long nowNs = clock.nanoTime();
            Meters own = meters(reading, principal, nowNs);
            own.points.charge(points, nowNs);
            own.bytes.charge(bytes, nowNs);
        }
    }

    /** Charges a principal one new series; false when its quota of new series is used up. */
    public boolean takeSeries(String principal) {
        if (principal.isEmpty()) {
            return true;
        }
        long nowNs = clock.nanoTime();
        Meters own = meters(reading, principal, nowNs);
        if (own.series.waitSeconds(nowNs) > 0) {
            counters.increment(AccessCounter.QUOTA_EXCEEDED);
            return false;
        }
        own.series.charge(1, nowNs);
        return true;
    }

    /** Whether a principal must pause because its quota is used up: seconds, 0 when it need not. */
    public long pauseSeconds(String principal) {
        if (principal.isEmpty()) {
            return 0;
        }
        long nowNs = clock.nanoTime();
        Meters own = meters(reading, principal, nowNs);
        return Math.max(own.points.waitSeconds(nowNs), own.bytes.waitSeconds(nowNs));
    }

    /** Open connections of each principal. */
    PrincipalConnections connections() {
        return connections;
    }

    Verdict tooManyConnections(String principal) {
        counters.increment(AccessCounter.QUOTA_EXCEEDED);
        return Verdict.later("The principal " + principal + " has too many open connections; use fewer.", 1);
    }

    Counters<AccessCounter> counters() {
        return counters;
    }

    /** Appends a record to the audit log, where there is one. */
    public void record(AuditLog.Entry entry) {
        if (audit != null) {
            audit.record(entry);
        }
    }

    /** Appends a record of a refused request to the audit log, where there is one. */
    public void refused(String principal, InetAddress client, String action, String target, String result) {
        String address = client == null ? "" : client.getHostAddress();
        refusedClients.refused(principal, address, target, result);
        if (audit != null) {
            audit.refused(new AuditLog.Entry(principal, address, action, target, false, result));
        }
    }

    /** Counts, logs and records a client that a server of another library refused. */
    public void refusedElsewhere(
            AccessCounter counter, InetAddress client, String action, String target, String reason) {
        counters.increment(counter);
        refused("", client, action, target, reason);
    }

    private void record(String principal, String address, String action, String target, String result) {
        record(new AuditLog.Entry(principal, address, action, target, false, result));
    }
}
