package io.chimera.common.access;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.metrics.AccessCounter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses requests from web pages at ports without credentials. The browser runs inside the network trusted by the
 * port; the page does not:
 *
 * <ul>
 *   <li>A page of another site posts without a preflight request. The browser adds {@code Origin} and
 *       {@code Sec-Fetch-Site}.
 *   <li>A page resolves the name of its own site to a loopback address (DNS rebinding) and reads the answers. The
 *       browser sends this name as {@code Host}.
 * </ul>
 *
 * <p>Any thread.
 */
final class BrowserGuard {
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;

    private static final Set<String> OWN_SITE = Set.of("none", "same-origin");

    private final AccessControl control;
    private final String input;

    /** Creates a guard for the ports of an input, or for the node's own port with an empty name. */
    BrowserGuard(AccessControl control, String input) {
        this.control = control;
        this.input = input;
    }

    /** Checks a request accepted without a token; returns the refusal, or empty. */
    Optional<Verdict> check(HttpExchange exchange) {
        if (!input.isEmpty() && exchange.certificate().isPresent()) {
            return Optional.empty();
        }
        if (exchange.isLoopbackOnly() && !isOwnHost(exchange.header("Host"))) {
            control.counters().increment(AccessCounter.HOSTS_REFUSED);
            refused(exchange, " host=" + exchange.header("Host"), "refused: Host is not a name of this node");
            return Optional.of(Verdict.refused(
                    MISDIRECTED,
                    "This port listens on loopback and answers only requests whose Host is a loopback address,"
                            + " localhost or a configured host. Use one of them, or set node.host to the name (of"
                            + " a recorder: the host of --http)."));
        }
        if (isReading(exchange) || !isOfPage(exchange)) {
            return Optional.empty();
        }
        control.counters().increment(AccessCounter.PAGES_REFUSED);
        refused(exchange, "", "refused: from a web page");
        return Optional.of(Verdict.refused(
                FORBIDDEN,
                "This port asks for no credentials and accepts nothing from web pages (Origin, Sec-Fetch-Site). "
                        + (input.isEmpty()
                                ? "Use a program in place of the page, or set node.tokens."
                                : "Send with a program in place of the page, or set node.tokens and send a token.")));
    }

    /**
     * Returns whether the request only reads from the node's own port: the browser does not give the answer to the
     * page.
     */
    private boolean isReading(HttpExchange exchange) {
        return input.isEmpty()
                && (exchange.method().equals("GET") || exchange.method().equals("HEAD"));
    }

    private void refused(HttpExchange exchange, String facts, String result) {
        control.refused(
                "",
                exchange.client().getAddress(),
                "access",
                exchange.method() + " " + exchange.path() + facts,
                result);
    }

    /** Returns whether the headers mark a browser's request on behalf of a page. Other programs send neither header. */
    static boolean isOfPage(HttpExchange exchange) {
        String site = exchange.header("Sec-Fetch-Site");
        return exchange.header("Origin") != null || (site != null && !OWN_SITE.contains(site));
    }

    /**
     * Returns whether a Host header names this machine; true without the header, as permitted by HTTP/1.0 and never
     * sent by a browser.
     */
    private boolean isOwnHost(String header) {
        if (header == null || header.isBlank()) {
            return true;
        }
        String host = host(header.strip().toLowerCase(Locale.ROOT));
        return host.equals("localhost") || isLoopback(host) || control.isHost(host);
    }

    /** Returns the host of the header, without port, brackets and the final dot of an absolute name. */
    private static String host(String header) {
        if (header.startsWith("[")) {
            int end = header.indexOf(']');
            return end < 0 ? header : header.substring(1, end);
        }
        int colon = header.lastIndexOf(':');
        String host = colon < 0 ? header : header.substring(0, colon);
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    /** Returns whether a host is a loopback address. Never resolves a name: only numeric addresses reach the parser. */
    private static boolean isLoopback(String host) {
        boolean isNumeric = host.matches("127(\\.\\d{1,3}){3}") || host.matches("[0-9a-f]*:[0-9a-f:.]*");
        try {
            return isNumeric && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // not an address
        }
    }
}
