package io.chimera.dataset.source;

import java.util.List;
import java.util.Locale;

/**
 * The hosts that jobs may read from, as the operator's key {@code datasets.allow} names them. A source asks before
 * every connection, also after a redirect. Immutable.
 */
public final class AllowedHosts {
    private final List<String> patterns;

    /**
     * Creates the list.
     *
     * @param patterns {@code host}, {@code host:port}, {@code *.domain} or {@code *.domain:port}; an IPv6 address in
     *     brackets
     */
    public AllowedHosts(List<String> patterns) {
        this.patterns = patterns.stream()
                .map(pattern -> pattern.toLowerCase(Locale.ROOT))
                .toList();
    }

    /**
     * Checks an address.
     *
     * @param host name or address, an IPv6 address without brackets
     * @param port port number
     * @throws SourceException with {@link SourceFault#NOT_ALLOWED} when no pattern matches
     */
    public void check(String host, int port) throws SourceException {
        String name = host.toLowerCase(Locale.ROOT);
        String bracketed = name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name;
        for (String pattern : patterns) {
            if (matches(pattern, bracketed, port)) {
                return;
            }
        }
        throw new SourceException(
                SourceFault.NOT_ALLOWED,
                bracketed + ":" + port + " is not in datasets.allow; the operator adds \"" + bracketed
                        + "\" to the list, if jobs may read from there");
    }

    private static boolean matches(String pattern, String host, int port) {
        String suffix = ":" + port;
        String name = pattern.endsWith(suffix) && !pattern.equals(suffix)
                ? pattern.substring(0, pattern.length() - suffix.length())
                : pattern;
        return name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name);
    }
}
