package io.chimera.common.cluster;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Digest of the configuration of a member. Members of a cluster agree on their configuration when their digests are
 * equal. The digest has two parts: the hash of the configuration, and the edition of each plugin of a pipeline. Two
 * different digests therefore name the differing plugins.
 *
 * <p>Znodes and frames carry the digest as text: the hash, followed by {@code ;<plugin>=<edition>} for each plugin,
 * ordered by name. The record stores the text and not the parts, because the text of another release must return
 * unchanged, even a malformed text.
 *
 * @param text the digest as text
 */
public record ConfigurationDigest(String text) {
    /** Unspecified configuration. */
    public static final ConfigurationDigest NONE = new ConfigurationDigest("");

    /** Maximum number of characters of the hash shown to people. */
    private static final int BRIEF_LENGTH = 12;

    /** Refuses a missing text. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ConfigurationDigest {
        requireNonNull(text, "text");
    }

    /**
     * Creates a digest from its parts.
     *
     * @param configuration hash of the configuration
     * @param plugins edition by name
     */
    public static ConfigurationDigest of(String configuration, SortedMap<String, String> plugins) {
        StringBuilder text = new StringBuilder(configuration);
        plugins.forEach(
                (name, edition) -> text.append(';').append(name).append('=').append(edition.replace(';', ',')));
        return new ConfigurationDigest(text.toString());
    }

    /** Returns the digest as text. */
    @JsonValue
    @Override
    public String text() {
        return text;
    }

    /** Returns whether the configuration is unspecified. */
    public boolean isEmpty() {
        return text.isEmpty();
    }

    /** Hash of the configuration. */
    public String configuration() {
        return text.split(";", 2)[0];
    }

    /** Editions of the plugins, by name. */
    public SortedMap<String, String> plugins() {
        SortedMap<String, String> plugins = new TreeMap<>();
        String[] parts = text.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            plugins.put(parts[i].substring(0, Math.max(0, equals)), parts[i].substring(equals + 1));
        }
        return plugins;
    }

    /**
     * Describes the differences of a member from this coordinator.
     *
     * @param theirs digest of the member
     * @return description, phrased to follow "it"
     */
    public String difference(ConfigurationDigest theirs) {
        SortedMap<String, String> here = plugins();
        SortedMap<String, String> there = theirs.plugins();
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
        if (!configuration().equals(theirs.configuration())) {
            differences.add(0, "has other inputs or pipelines than this coordinator");
        }
        return String.join("; it ", differences);
    }

    /** Shortens the digest for people: the first 12 characters of the hash, and the plugins. */
    public String brief() {
        String[] parts = text.split(";", 2);
        String hash = parts[0].substring(0, Math.min(BRIEF_LENGTH, parts[0].length()));
        return parts.length == 1
                ? hash
                : hash + " with " + parts[1].replace('=', ' ').replace(";", ", ");
    }

    /**
     * Hashes the digest to a number for frames; 0 for an unspecified configuration. A collision is harmless: readers of
     * frames only compare the number with the few digests they know.
     */
    public int fingerprint() {
        int hash = text.hashCode();
        return isEmpty() || hash != 0 ? hash : 1;
    }

    /** Returns the digest as text, for logs. */
    @Override
    public String toString() {
        return text;
    }
}
