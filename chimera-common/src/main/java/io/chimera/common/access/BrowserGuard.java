package io.chimera.common.access;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.metrics.AccessCounter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses requests from web pages at ports without credentials. The browser runs inside the network trusted by the
 * port; the page does not:
 *
 * <ul>
 *   <li>A page of another site posts without a preflight request. The browser adds {@code Origin} and
 *       {@code Sec-Fetch-Site}.
 *   <li>A page resolves the name of its own site to a loopback address (DNS rebinding) and reads the answers. The
 *       browser connects from a loopback address and sends this name as {@code Host}. The address of the listener does
 *       not matter: a wildcard includes loopback.
 * </ul>
 *
 * <p>Any thread.
 */
final class BrowserGuard {
    private static final int FORBIDDEN = 403;
    private static final int MISDIRECTED = 421;

    private static final String LOCALHOST = "localhost";
    private static final String LOOPBACK_V4 = "127.";
    private static final String LOOPBACK_V6 = "::1";
    private static final Pattern NUMERIC_V6 = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F:.]*");

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
        if (exchange.client().getAddress().isLoopbackAddress() && !isOwnHost(exchange.header("Host"))) {
            control.counters().increment(AccessCounter.HOSTS_REFUSED);
            refused(exchange, " host=" + exchange.header("Host"), "refused: Host is not a name of this node");
            return Optional.of(Verdict.refused(
                    MISDIRECTED,
                    "This port answers requests from this machine only if Host is a loopback address, localhost, the"
                            + " name of this machine or a configured host. Use one of them, or set node.host to the"
                            + " name (of a recorder: the host of --http)."));
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
     * sent by a browser. Reads the usual forms in place, without allocation.
     */
    private boolean isOwnHost(String header) {
        if (header == null || header.isBlank()) {
            return true;
        }
        int from = skipSpaces(header);
        if (header.charAt(from) == '[') {
            int end = header.indexOf(']');
            String host = end < 0 ? "" : header.substring(from + 1, end);
            return end >= 0 && (isLoopbackV6(host) || control.isHost(host.toLowerCase(Locale.ROOT)));
        }
        int to = header.lastIndexOf(':');
        to = to < 0 ? header.stripTrailing().length() : to;
        if (to > from && header.charAt(to - 1) == '.') {
            to--; // the final dot of an absolute name
        }
        return isLoopbackV4(header, from, to)
                || (to - from == LOCALHOST.length() && header.regionMatches(true, from, LOCALHOST, 0, to - from))
                || control.isHost(header.substring(from, to).toLowerCase(Locale.ROOT));
    }

    private static int skipSpaces(String header) {
        int at = 0;
        while (Character.isWhitespace(header.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Returns whether a range of a text is an address of 127.0.0.0/8 in the form of four decimal numbers. */
    private static boolean isLoopbackV4(String text, int from, int to) {
        if (!text.startsWith(LOOPBACK_V4, from)) {
            return false;
        }
        int numbers = 0;
        int number = -1;
        for (int i = from; i <= to; i++) {
            char c = i < to ? text.charAt(i) : '.';
            if (c >= '0' && c <= '9') {
                number = Math.max(number, 0) * 10 + c - '0';
            } else if (c == '.' && number >= 0) {
                numbers++;
                number = -1;
            } else {
                return false;
            }
            if (number > 255) {
                return false;
            }
        }
        return numbers == 4;
    }

    /** Returns whether a host in brackets is a loopback address. Only numeric addresses reach the parser: no lookup. */
    private static boolean isLoopbackV6(String host) {
        if (host.equals(LOOPBACK_V6)) {
            return true;
        }
        try {
            return NUMERIC_V6.matcher(host).matches()
                    && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false; // not an address
        }
    }
}
