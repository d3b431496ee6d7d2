package io.chimera.common.plugin;

/**
 * Where a plugin comes from.
 *
 * @param name of its folder, or of the JAR on the class path
 * @param version as the manifest of its JAR has it; empty when it has none
 * @param place the folder or the JAR
 * @param digest of its JARs, SHA-256 in hex; empty on the class path, which is a part of the node
 */
public record PluginOrigin(String name, String version, String place, String digest) {
    /** Whether it lies in a folder of its own, and not on the class path. */
    public boolean isFolder() {
        return !digest.isEmpty();
    }

    /** Version and beginning of the digest, which is what two nodes compare. */
    public String edition() {
        return (version.isEmpty() ? "without version" : version) + " ("
                + digest.substring(0, Math.min(12, digest.length())) + ")";
    }

    /** For messages: name, version, place. */
    @Override
    public String toString() {
        return "plugin " + name + (version.isEmpty() ? "" : " " + version) + " (" + place + ")";
    }
}
