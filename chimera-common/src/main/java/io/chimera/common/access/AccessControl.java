package io.chimera.common.access;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.PrincipalConnections;
import io.chimera.common.config.TokensConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.AccessRole;
import io.chimera.common.metrics.AccessCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access control of a node. Without a token file there are no principals and {@link #isConfigured} is false: the ports
 * then decide by address alone. A changed token file is reloaded; an invalid file leaves the current principals active.
 * Any thread.
 */
public final class AccessControl {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    /**
     * Maximum number of password checks per second. Each takes about 200 ms of an event loop: 2 checks take less than
     * half of one event loop, regardless of the number of clients.
     */
    private static final int PASSWORD_CHECKS_PER_SECOND = 2;

    /** Maximum number of cached successful password checks. */
    private static final int REMEMBERED_MAX = 1_000;

    private static final long SECONDS_PER_HOUR = 3_600;

    /** State of one version of the token file: a login begun with an earlier version leaves nothing in a later one. */
    private record TokenFile(Principals principals, Map<String, Principal> remembered, Map<String, Meters> meters) {
        TokenFile(Principals principals) {
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
    private final RepeatedRefusals repeated = new RepeatedRefusals();
    private final RateMeter passwordChecks;
    private final PrincipalConnections connections = new PrincipalConnections();
    private volatile TokenFile current = new TokenFile(Principals.NONE);
    private volatile String problem = "";
    private volatile String cluster = "";
    private volatile Set<String> hosts = Set.of();
    private Object version = "";

    /**
     * Loads the token file.
     *
     * @param file the token file; null without a token file
     * @param audit receives failed logins and reloads of the file; null for no audit log
     * @throws io.chimera.common.config.binding.ConfigException for an invalid file
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
            current = new TokenFile(new Principals(TokensConfig.read(file)));
        }
    }

    /** Creates unrestricted access, for a configuration without tokens and addresses. */
    public static AccessControl open(Clock clock) {
        return new AccessControl(null, clock, new Counters<>(AccessCounter.class), null);
    }

    /** Accepts the certificates of a cluster's nodes on the nodes' own ports. Call before the first request. */
    public AccessControl ofCluster(String name) {
        cluster = name;
        return this;
    }

    /**
     * Accepts these names and the names of the machine in the {@code Host} header of requests from loopback addresses,
     * in addition to loopback addresses. Call before the first request.
     */
    public AccessControl ofHosts(Collection<String> names) {
        hosts = Stream.concat(names.stream(), ofMachine())
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /** Returns the host name of the machine, with and without its domain; empty if the machine cannot resolve it. */
    private static Stream<String> ofMachine() {
        try {
            InetAddress machine = InetAddress.getLocalHost();
            return Stream.of(machine.getHostName(), machine.getCanonicalHostName());
        } catch (UnknownHostException e) {
            return Stream.empty();
        }
    }

    /** Returns whether a lower-case name is a host name of the node. */
    boolean isHost(String name) {
        return hosts.contains(name);
    }

    /** Name of the trusted cluster; empty without a trusted cluster. */
    String cluster() {
        return cluster;
    }

    /** Returns whether a token file is configured. */
    public boolean isConfigured() {
        return file != null;
    }

    /** Warnings for the operator: an inactive token file, tokens about to expire, refused clients. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        if (!problem.isEmpty()) {
            warnings.add(problem);
        }
        warnings.addAll(current.principals.expiring(clock.epochMs()));
        String refused = refusedClients.warning();
        if (!refused.isEmpty()) {
            warnings.add(refused);
        }
        return warnings;
    }

    /** Reloads the token file after a change. Single-threaded. */
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
            current = new TokenFile(new Principals(TokensConfig.read(file)));
            problem = "";
            LOG.info("Reloaded the token file: file={} principals={}.", file, current.principals.size());
            record("", "", "tokens", file.toString(), "ok");
        } catch (ChimeraException e) {
            problem = "The token file is invalid, and the previous tokens remain active: " + e.getMessage();
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
     * Decides about a client that needs a role.
     *
     * @param input name of the input for the role {@link AccessRole#INGEST}; empty for other roles
     * @param target requested resource, for messages and the audit log
     */
    Verdict check(Credentials credentials, InetAddress client, AccessRole role, String input, String target) {
        long nowNs = clock.nanoTime();
        if (credentials.isNone()) {
            counters.increment(AccessCounter.UNAUTHENTICATED);
            refusedOften(client, target, "no credentials");
            return Verdict.refused(401, target + " needs credentials with the role " + role.text() + ".");
        }
        TokenFile now = current;
        // Tokens cannot be guessed, so a valid token is accepted from a blocked address too: only other clients at the
        // address may be wrong.
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

    private static Principal ofToken(TokenFile now, Credentials credentials) {
        return credentials.name().isEmpty()
                ? now.principals.ofToken(credentials.secret())
                : now.principals.ofPassword(credentials.name(), credentials.secret());
    }

    private static Principal ofPassword(TokenFile now, Credentials credentials) {
        Principal found = now.principals.ofPassword(credentials.name(), credentials.secret());
        if (found != null && now.remembered.size() < REMEMBERED_MAX) {
            now.remembered.put(key(credentials), found);
        }
        return found;
    }

    /**
     * Returns whether an earlier login is still valid: the principal is still in the token file, with the same token or
     * password and with the role, and has not expired.
     */
    boolean isCurrent(Principal principal, AccessRole role, String input) {
        Principal now = current.principals.ofName(principal.name());
        return now != null
                && now.secretId().equals(principal.secretId())
                && now.mayDo(role, input)
                && !now.isExpired(clock.epochMs());
    }

    private Verdict quota(TokenFile now, Principal principal, long nowNs) {
        Meters own = meters(now, principal.name(), nowNs);
        long wait = Math.max(own.points.waitSeconds(nowNs), own.bytes.waitSeconds(nowNs));
        if (wait > 0) {
            counters.increment(AccessCounter.QUOTA_EXCEEDED);
            return Verdict.later(
                    "The quota of " + principal.name() + " is used up; try again in " + wait + " s.", wait);
        }
        return Verdict.of(principal);
    }

    /** Returns the meters of a principal, initially full; the meters of an unknown name have no limits. */
    private static Meters meters(TokenFile now, String name, long nowNs) {
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

    /** Charges the points and bytes sent by a principal; ignores an empty name. */
    public void charge(String principal, long points, long bytes) {
        if (!principal.isEmpty()) {
            long nowNs = clock.nanoTime();
            Meters own = meters(current, principal, nowNs);
            own.points.charge(points, nowNs);
            own.bytes.charge(bytes, nowNs);
        }
    }

    /** Charges a new series to a principal; returns false if the principal's quota of new series is exhausted. */
    public boolean takeSeries(String principal) {
        if (principal.isEmpty()) {
            return true;
        }
        long nowNs = clock.nanoTime();
        Meters own = meters(current, principal, nowNs);
        if (own.series.waitSeconds(nowNs) > 0) {
            counters.increment(AccessCounter.QUOTA_EXCEEDED);
            return false;
        }
        own.series.charge(1, nowNs);
        return true;
    }

    /** Returns the pause in seconds of a principal with an exhausted quota; 0 for no pause. */
    public long pauseSeconds(String principal) {
        if (principal.isEmpty()) {
            return 0;
        }
        long nowNs = clock.nanoTime();
        Meters own = meters(current, principal, nowNs);
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

    /** Appends an entry to the audit log, if any. */
    public void record(AuditLog.Entry entry) {
        if (audit != null) {
            audit.record(entry);
        }
    }

    /** Appends an entry for a refused request to the audit log, if any. */
    public void refused(String principal, InetAddress client, String action, String target, String result) {
        String address = client == null ? "" : client.getHostAddress();
        refusedClients.refused(principal, address, target, result);
        if (audit != null) {
            audit.refused(new AuditLog.Entry(principal, address, action, target, false, result));
        }
    }

    /**
     * Reports a client refused without a look at credentials. The log line and readiness count every refusal; the audit
     * log has one entry a minute for the same client, target and reason, because such clients repeat themselves.
     */
    void refusedOften(InetAddress client, String target, String reason) {
        if (repeated.isDue(client, target, reason, clock.nanoTime())) {
            refused("", client, "access", target, reason);
        } else {
            refusedClients.refused("", client == null ? "" : client.getHostAddress(), target, reason);
        }
    }

    /** Counts, logs and records a client refused by a server of another library. */
    public void refusedElsewhere(
            AccessCounter counter, InetAddress client, String action, String target, String reason) {
        counters.increment(counter);
        refused("", client, action, target, reason);
    }

    /**
     * Counts, logs and records a client refused by a server of another library, at most once a minute for the same
     * client address, target and reason: the client repeats the request by itself.
     */
    public void refusedRepeatedly(
            AccessCounter counter, InetAddress client, String action, String target, String reason) {
        if (repeated.isDue(client, target, reason, clock.nanoTime())) {
            refusedElsewhere(counter, client, action, target, reason);
        }
    }

    private void record(String principal, String address, String action, String target, String result) {
        record(new AuditLog.Entry(principal, address, action, target, false, result));
    }
}
