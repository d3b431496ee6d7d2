package io.chimera.node;

import picocli.CommandLine.IVersionProvider;

/** Version from the manifest of this JAR. */
public final class Version implements IVersionProvider {
    /** Creates the provider for picocli. */
    public Version() {}

    /** Returns the version, or "development" when run from class files. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"chimera " + text() + " on Java " + System.getProperty("java.version")};
    }
}
