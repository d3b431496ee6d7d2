package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Builds and compares the digest text of a member. Members of a cluster agree on their configuration when their digest
 * texts are equal. The text is the digest of the configuration, followed by {@code ;<plugin>=<edition>} for each plugin
 * of a pipeline, ordered by name; from two different texts the differing plugins can be named.
 */
public final class ConfigurationDigest {
    private ConfigurationDigest() {}

    /**
     * Builds the digest text.
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
     * Describes the differences of a member.
     *
     * @param ours digest text of the coordinator
     * @param theirs digest text of the member
     * @return description, phrased to follow "it"
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
                differences.add("has plugin " + name + " " + other + ", but this coordinator has " + edition);
            }
        });
        there.forEach((name, edition) -> {
            if (!here.containsKey(name)) {
                differences.add("uses plugin " + name + " " + edition + ", but this coordinator does not");
            }
        });
        if (!configuration(ours).equals(configuration(theirs))) {
            differences.add(0, "has other inputs or pipelines than this coordinator");
        }
        return String.join("; it ", differences);
    }

    /**
     * Hashes a digest text to a number for frames; 0 for an empty text. A collision is harmless: readers of frames only
     * compare the number with the few digests they know.
     */
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
