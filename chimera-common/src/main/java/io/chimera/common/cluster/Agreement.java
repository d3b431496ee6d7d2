package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the members of a cluster must agree on, as the text that each announces as its digest: the digest of the configuration, then
 * {@code ;<plugin>=<edition>} for each plugin that a pipeline uses, in the order of their names. Members agree when the texts are
 * equal; where they are not, the plugins can be named.
 */
public final class Agreement {
    private Agreement() {}

    /**
     * The text.
     *
     * @param configuration digest of the configuration
     * @param plugins edition by name
     */
    public static String of(String configuration, SortedMap<String, String> plugins) {
        StringBuilder text = new StringBuilder(configuration);
        plugins.forEach(
                (name, edition) -> text.append(';').append(name).append('=').append(edition.replace(';', ',')));
        return text.toString();
    }

    /**
     * In what a member differs.
     *
     * @param ours the text of the coordinator
     * @param theirs that of the member
     * @return words that follow "it"
     */
    public static String difference(String ours, String theirs) {
        SortedMap<String, String> here = plugins(ours);
        SortedMap<String, String> there = plugins(theirs);
        List<String> differences = new ArrayList<>();
        here.forEach((name, edition) -> {
            String other = there.get(name);
            if (other == null) {
                differences.add("lacks plugin " + name + " " + edition);
            } else if (!other.equals(edition)) {
                differences.add("has plugin " + name + " " + other + " where this coordinator has " + edition);
            }
        });
        there.forEach((name, edition) -> {
            if (!here.containsKey(name)) {
                differences.add("uses plugin " + name + " " + edition + ", which this coordinator does not");
            }
        });
        if (!configuration(ours).equals(configuration(theirs))) {
            differences.add(0, "has other inputs or pipelines than this coordinator");
        }
        return String.join("; it ", differences);
    }

    /** The text as a number for frames; 0 for none. Who reads it asks only whether it is one of the few that it knows. */
    public static int fingerprint(String text) {
        int hash = text.hashCode();
        return text.isEmpty() || hash != 0 ? hash : 1;
    }

    private static String configuration(String text) {
        return text.split(";", 2)[0];
    }

    private static SortedMap<String, String> plugins(String text) {
        SortedMap<String, String> plugins = new TreeMap<>();
        String[] parts = text.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            plugins.put(parts[i].substring(0, Math.max(0, equals)), parts[i].substring(equals + 1));
        }
        return plugins;
    }
}
