package io.chimera.node.dataset.worker;

import io.chimera.common.agent.Clock;
import io.chimera.common.config.CredentialConfig;
import io.chimera.common.config.DatasetsConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.definition.Sources;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens the sources of jobs within the limits of the operator: hosts and folders that {@code datasets.allow} names, and
 * credentials by name. A source with credentials reaches only the hosts of the credentials, also by redirects. Any
 * thread.
 *
 * @param rules section of the node's configuration
 */
record SourceRules(DatasetsConfig rules) {
    private static final Path ROOT = Path.of("/");

    /**
     * Opens one address of a source; opens no connection.
     *
     * @param source source of a job, without replicas
     * @param clock time of requests
     * @throws JobException when the source is not allowed: key, reason and remedy
     */
    DataSource open(SourceConfig source, Clock clock) throws IOException {
        checkSecrets(source);
        if (source.url().startsWith(DatasetsConfig.FILE)) {
            return Sources.folder(folder(source)); // where links were resolved once, no link can be replaced
        }
        if (source.credentials().isEmpty()) {
            return Sources.open(source, ROOT, hosts(), clock);
        }
        CredentialConfig known = rules.credentials().get(source.credentials());
        if (known == null) {
            throw new JobException(
                    "source.credentials is " + source.credentials()
                            + "; the operator adds datasets.credentials." + source.credentials()
                            + " to the configuration of this node",
                    null);
        }
        AllowedHosts hosts = hosts().and("datasets.credentials." + source.credentials() + ".hosts", known.hosts());
        return Sources.open(with(source, known), ROOT, hosts, clock);
    }

    /** Returns the hosts that jobs may reach. */
    AllowedHosts hosts() {
        return new AllowedHosts(rules.allowedHosts());
    }

    /** Refuses secrets in a definition: every member of the cluster can read it. */
    static void checkSecrets(SourceConfig source) throws JobException {
        boolean hasKeys = !source.user().isEmpty()
                || !source.password().isEmpty()
                || !source.token().isEmpty();
        boolean hasSecrets = source.replicas().stream().anyMatch(SourceRules::hasSecrets);
        if (hasKeys || hasSecrets || hasSecrets(source.url()) || hasSecrets(source.endpoint())) {
            throw new JobException(
                    "source has credentials (user, password, token, or a part of the address); a job of a cluster names"
                            + " credentials of the nodes with source.credentials",
                    null);
        }
    }

    private static boolean hasSecrets(String address) {
        int scheme = address.indexOf("://");
        int path = scheme < 0 ? -1 : address.indexOf('/', scheme + "://".length());
        String server = scheme < 0 ? "" : address.substring(scheme, path < 0 ? address.length() : path);
        return server.contains("@") || address.contains("?");
    }

    /** Returns the real path of an allowed folder. */
    private Path folder(SourceConfig source) throws IOException {
        String text = source.url().substring(DatasetsConfig.FILE.length());
        Path named = Path.of(text.startsWith("///") ? text.substring(2) : text);
        Path real = named.isAbsolute() ? real(named) : named;
        for (Path allowed : rules.allowedFolders()) {
            if (named.isAbsolute() && isBelow(real, allowed)) {
                return real;
            }
        }
        throw new JobException(
                source.url() + " is not below a folder of datasets.allow; the operator adds \"file:" + named
                        + "\" to the list, if jobs may read there",
                null);
    }

    /** Returns whether a folder is below an allowed one; nothing is below an allowed folder that is missing. */
    private static boolean isBelow(Path real, Path allowed) {
        try {
            return real.startsWith(allowed.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }

    private static Path real(Path path) throws IOException {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException e) {
            throw new JobException(
                    path + " does not exist on this node; every node needs the same folder, for example by NFS", e);
        }
    }

    private static SourceConfig with(SourceConfig source, CredentialConfig known) {
        boolean isXrootd = source.url().matches("x?roots?://.*");
        return new SourceConfig(
                isXrootd ? source.url() + "?authz=" + known.token() : source.url(),
                source.endpoint(),
                source.region(),
                known.user(),
                known.password(),
                known.token(),
                "",
                List.of());
    }
}
