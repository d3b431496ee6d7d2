package io.chimera.common.plugin;

/**
 * Origin of a plugin.
 *
 * @param name name of the folder, or of the JAR on the class path
 * @param version version in the manifest of the JAR; empty without a version
 * @param place path of the folder or the JAR
 * @param digest SHA-256 of the JARs in hex; empty on the class path, because these JARs are part of the node
 */
public record PluginOrigin(String name, String version, String place, String digest) {
    /** Returns whether the plugin is in its own folder, not on the class path. */
    public boolean isFolder() {
        return !digest.isEmpty();
    }

    /** Version and digest prefix; nodes compare this text. */
    public String edition() {
        return (version.isEmpty() ? "without version" : version) + " ("
                + digest.substring(0, Math.min(12, digest.length())) + ")";
    }

    /** Formats name, version and place for messages. */
    @Override
    public String toString() {
        return "plugin " + name + (version.isEmpty() ? "" : " " + version) + " (" + place + ")";
    }
}
