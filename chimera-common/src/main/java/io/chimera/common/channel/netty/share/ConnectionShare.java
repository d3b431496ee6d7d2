package io.chimera.common.channel.netty.share;

import io.chimera.common.channel.PrincipalConnections;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Accounts one connection to its listener, its address and its principal. On the connection's event loop. */
public final class ConnectionShare {
    /** Admission of a connection. */
    public enum Outcome {
        /** The connection is served. */
        ENTERED,
        /** The listener has too many connections, none of them slow. */
        LISTENER_FULL,
        /** The client has too many connections, none of them slow. */
        CLIENT_FULL
    }

    private final AtomicInteger connections;
    private final int connectionsMax;
    private final ClientShares shares;
    private final SlowRequests slow;
    private final Object client;
    private boolean isIn;
    private String principal = "";
    private PrincipalConnections principals;
    private BodyBudget budget;

    /**
     * Creates the share of an unadmitted connection.
     *
     * @param connections open connections of the listener
     * @param slow slow connections, candidates for eviction
     */
    public ConnectionShare(
            AtomicInteger connections,
            int connectionsMax,
            ClientShares shares,
            SlowRequests slow,
            InetSocketAddress address) {
        this.connections = connections;
        this.connectionsMax = connectionsMax;
        this.shares = shares;
        this.slow = slow;
        client = ClientShares.clientOf(address);
        budget = new BodyBudget(shares, client, "");
    }

    /** Client identity of the address. Any thread. */
    public Object client() {
        return client;
    }

    /** Admits the connection, evicting a slow connection if necessary. {@link #leave} must follow in any case. */
    public Outcome enter() {
        isIn = true;
        boolean isWithinShare = shares.connect(client);
        if (connections.incrementAndGet() > connectionsMax && !slow.evictConnection()) {
            return Outcome.LISTENER_FULL;
        }
        return isWithinShare || slow.evictConnection(client) ? Outcome.ENTERED : Outcome.CLIENT_FULL;
    }

    /** Counts the connection for a principal; returns false if the principal has too many connections. */
    public boolean admit(String newPrincipal, int principalMax, PrincipalConnections all) {
        if (newPrincipal.equals(principal)) {
            return true;
        }
        leavePrincipal();
        if (!shares.connect(newPrincipal)) {
            shares.disconnect(newPrincipal);
            return false;
        }
        if (!all.enter(newPrincipal, principalMax)) {
            shares.disconnect(newPrincipal);
            return false;
        }
        principal = newPrincipal;
        principals = all;
        budget = new BodyBudget(shares, client, principal);
        return true;
    }

    /** Principal of the connection; empty for none. */
    public String principal() {
        return principal;
    }

    /** Budget charged for the next body. */
    public BodyBudget budget() {
        return budget;
    }

    /** Ends the accounting of the connection. */
    public void leave() {
        leavePrincipal();
        if (isIn) {
            isIn = false;
            connections.decrementAndGet();
            shares.disconnect(client);
        }
    }

    private void leavePrincipal() {
        if (!principal.isEmpty()) {
            principals.leave(principal);
            shares.disconnect(principal);
            principal = "";
            budget = new BodyBudget(shares, client, "");
        }
    }
}
