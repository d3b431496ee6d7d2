package io.chimera.common.access;

import io.chimera.common.access.HttpRoute.Surface;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.identity.AccessRole;
import io.chimera.common.identity.AddressRange;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.AccessCounter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Access control of the ports of one input, or of a node's own port: tokens if a token file is configured, and
 * addresses exempt from tokens. Any thread.
 */
public final class PortAccess {
    private final AccessControl control;
    private final String input;
    private final List<AddressRange> allowed;
    private final BrowserGuard browsers;

    /**
     * Creates the access control of a port.
     *
     * @param input name of the input; empty for a node's own port
     * @param allowed addresses exempt from tokens; without a token file all other addresses are refused unless the list
     *     is empty
     */
    public PortAccess(AccessControl control, String input, List<AddressRange> allowed) {
        this.control = control;
        this.input = input;
        this.allowed = List.copyOf(allowed);
        browsers = new BrowserGuard(control, input);
    }

    /** Returns whether a client needs credentials or an allowed address. */
    public boolean isRestricted() {
        return control.isConfigured() || !allowed.isEmpty();
    }

    /** Access control of the node. */
    public AccessControl control() {
        return control;
    }

    /** Decides about an HTTP request by its headers. An accepted request gets the name of its principal. */
    public Verdict check(Surface surface, HttpExchange exchange) {
        Optional<AccessRole> role = HttpRoute.roleOf(surface, exchange.path());
        InetAddress client = exchange.client().getAddress();
        if (!isRestricted() || isAllowed(client)) {
            return browsers.check(exchange).orElse(Verdict.ANYBODY);
        }
        if (role.isEmpty()) {
            return Verdict.ANYBODY;
        }
        Credentials credentials = credentials(surface, exchange);
        Optional<PeerCertificate> certificate = exchange.certificate();
        if (credentials.isNone() && certificate.isPresent() && grants(certificate.get(), role.get())) {
            exchange.admit(nameOf(certificate.get()), 0, control.connections());
            return Verdict.ANYBODY;
        }
        Verdict verdict = decide(credentials, client, role.get(), exchange.method() + " " + exchange.path());
        return verdict.isAccepted()
                        && !exchange.admit(verdict.principal(), verdict.quota().connections(), control.connections())
                ? control.tooManyConnections(verdict.principal())
                : verdict;
    }

    private Verdict decide(Credentials credentials, InetAddress client, AccessRole role, String target) {
        if (client == null || !control.isConfigured()) {
            control.counters().increment(AccessCounter.FORBIDDEN);
            control.refusedOften(client, target, "address not in allow");
            return Verdict.refused(403, "The address of this sender is not allowed; see allow of the input.");
        }
        return control.check(credentials, client, role, input, target);
    }

    private static Credentials credentials(Surface surface, HttpExchange exchange) {
        String password = surface == Surface.INFLUX ? exchange.parameter("p") : null;
        return password == null || exchange.header("Authorization") != null
                ? Credentials.ofHeader(exchange.header("Authorization"))
                : Credentials.password(exchange.parameter("u"), password);
    }

    private boolean isAllowed(InetAddress client) {
        for (AddressRange range : allowed) {
            if (client != null && range.contains(client)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a browser sent a request on behalf of a web page, without an action of its user. */
    public static boolean isOfPage(HttpExchange exchange) {
        return BrowserGuard.isOfPage(exchange);
    }

    /** Returns whether a request has the certificate of a node of the cluster. */
    public boolean isOfNode(HttpExchange exchange) {
        return exchange.certificate()
                .filter(certificate -> certificate.isOf(control.cluster()))
                .isPresent();
    }

    /**
     * Returns whether a certificate grants a role. At an input, every certificate accepted by the input's tls section
     * may write. At a node's own port, an operator of the cluster has all roles, and a node of the cluster all roles
     * except {@link AccessRole#ADMIN}.
     */
    private boolean grants(PeerCertificate certificate, AccessRole role) {
        if (!input.isEmpty()) {
            return role == AccessRole.INGEST;
        }
        return certificate.hasRole(control.cluster(), NodeIdentity.OPERATOR)
                || (certificate.isOf(control.cluster()) && role != AccessRole.ADMIN);
    }

    private static String nameOf(PeerCertificate certificate) {
        return "certificate " + certificate.subject();
    }

    /** Returns whether the login of a connection is still valid. */
    boolean isCurrent(Principal login) {
        return control.isCurrent(login, AccessRole.INGEST, input);
    }

    /** Returns whether a connection needs no credentials. */
    boolean isFree(Peer peer) {
        return !isRestricted()
                || isAllowed(peer.address().getAddress())
                || peer.certificate()
                        .filter(certificate -> grants(certificate, AccessRole.INGEST))
                        .isPresent();
    }

    /** Decides about the first line of a TCP connection. */
    Verdict login(String token, Peer peer) {
        int colon = token.indexOf(':');
        Credentials credentials = colon < 0
                ? Credentials.token(token)
                : Credentials.password(token.substring(0, colon), token.substring(colon + 1));
        Verdict verdict = decide(
                token.isEmpty() ? Credentials.NONE : credentials,
                peer.address().getAddress(),
                AccessRole.INGEST,
                "tcp " + input);
        return verdict.isAccepted()
                        && !peer.admit(verdict.principal(), verdict.quota().connections(), control.connections())
                ? control.tooManyConnections(verdict.principal())
                : verdict;
    }

    /** Wraps handlers with the login of their connections. */
    public Supplier<StreamHandler> guard(Supplier<StreamHandler> handlers) {
        return isRestricted() ? () -> new LoginStream(this, handlers.get()) : handlers;
    }

    /** Wraps a handler to drop datagrams of forbidden addresses. */
    public DatagramHandler guard(DatagramHandler handler) {
        return isRestricted() ? new Datagrams(handler) : handler;
    }

    private final class Datagrams implements DatagramHandler {
        private final DatagramHandler handler;

        Datagrams(DatagramHandler handler) {
            this.handler = handler;
        }

        @Override
        public void onDatagram(byte[] bytes, int offset, int length, InetSocketAddress sender) {
            if (isAllowed(sender.getAddress())) {
                handler.onDatagram(bytes, offset, length, sender);
            } else {
                control.counters().increment(AccessCounter.DATAGRAMS_REFUSED);
            }
        }

        @Override
        public void onReadComplete() {
            handler.onReadComplete();
        }
    }
}
