package io.chimera.dataset.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The hosts that jobs may read from, as the operator's key {@code datasets.allow} names them. A source asks before
 * every connection, also after a redirect. Immutable.
 */
public final class AllowedHosts {
    private final List<Rule> rules;

    /** Patterns of a key; a host must match one of them. */
    private record Rule(String key, List<String> patterns) {}

    /**
     * Creates the list.
     *
     * @param patterns {@code host}, {@code host:port}, {@code *.domain} or {@code *.domain:port}; an IPv6 address in
     *     brackets
     */
    public AllowedHosts(List<String> patterns) {
        this(new Rule[] {rule("datasets.allow", patterns)});
    }

    private AllowedHosts(Rule... rules) {
        this.rules = List.of(rules);
    }

    private static Rule rule(String key, List<String> patterns) {
        return new Rule(
                key,
                patterns.stream()
                        .map(pattern -> pattern.toLowerCase(Locale.ROOT))
                        .toList());
    }

    /**
     * Returns the hosts that are allowed here and by another list.
     *
     * @param key key of the other list, for messages
     * @param patterns patterns of the other list
     */
    public AllowedHosts and(String key, List<String> patterns) {
        List<Rule> all = new ArrayList<>(rules);
        all.add(rule(key, patterns));
        return new AllowedHosts(all.toArray(Rule[]::new));
    }

    /**
     * Checks an address.
     *
     * @param host name or address, an IPv6 address without brackets
     * @param port port number
     * @throws SourceException with {@link SourceFault#NOT_ALLOWED} when a list has no matching pattern
     */
    public void check(String host, int port) throws SourceException {
        String name = host.toLowerCase(Locale.ROOT);
        String bracketed = name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name;
        for (Rule rule : rules) {
            if (rule.patterns().stream().noneMatch(pattern -> matches(pattern, bracketed, port))) {
                throw new SourceException(
                        SourceFault.NOT_ALLOWED,
                        bracketed + ":" + port + " is not in " + rule.key() + "; the operator adds \"" + bracketed
                                + "\" to the list, if jobs may read from there");
            }
        }
    }

    private static boolean matches(String pattern, String host, int port) {
        String suffix = ":" + port;
        String name = pattern.endsWith(suffix) && !pattern.equals(suffix)
                ? pattern.substring(0, pattern.length() - suffix.length())
                : pattern;
        return name.startsWith("*.") ? host.endsWith(name.substring(1)) : host.equals(name);
    }
}
