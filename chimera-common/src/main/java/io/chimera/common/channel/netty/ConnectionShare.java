package io.chimera.common.channel.netty;

import io.chimera.common.channel.PrincipalConnections;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** The place of one connection among all connections of its listener, its address and its principal. On its event loop. */
final class ConnectionShare {
    /** Whether a connection is served. */
    enum Outcome {
        /** The connection is served. */
        ENTERED,
        /** The listener has too many connections, and none of them is slow. */
        LISTENER_FULL,
        /** The client has too many connections, and none of them is slow. */
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
     * A connection that has no place yet.
     *
     * @param connections open connections of the listener
     * @param slow connections that give up their place for this one
     */
    ConnectionShare(
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

    /** The client's address, as it is counted. Any thread. */
    Object client() {
        return client;
    }

    /** Takes a place, that of a slow connection where none is free. {@link #leave} follows in any case. */
    Outcome enter() {
        isIn = true;
        boolean isWithinShare = shares.connect(client);
        if (connections.incrementAndGet() > connectionsMax && !slow.evictConnection()) {
            return Outcome.LISTENER_FULL;
        }
        return isWithinShare || slow.evictConnection(client) ? Outcome.ENTERED : Outcome.CLIENT_FULL;
    }

    /** Counts the connection among those of a principal; false when the principal has too many. */
    boolean admit(String newPrincipal, int principalMax, PrincipalConnections all) {
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

    /** The principal of the connection; empty for none. */
    String principal() {
        return principal;
    }

    /** Who pays for the next body. */
    BodyBudget budget() {
        return budget;
    }

    /** Gives the place up. */
    void leave() {
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
