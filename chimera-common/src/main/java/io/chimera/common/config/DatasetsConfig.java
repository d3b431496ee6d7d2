package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Part of a processor in jobs over data sets. */
public record DatasetsConfig(
        @Doc("Directory of the results of jobs; relative to node.data_dir.") @Default("datasets")
        Path folder,

        @Doc("Threads that compute; 0: half of the processors of the JVM, at least 1. At most 256.") @Default("0")
        Integer workers,

        @Doc("Maximum memory for the aggregates of each thread, and for the splits of each job that this node leads. A"
                + " job that asks for more gets no thread of this node; at least 64MiB.")
        @Default("256MiB")
        ByteSize memory,

        @Doc("What jobs may reach: hosts (host, host:port, *.domain) of sources and of the jobs' own stores, and"
                + " folders (file:/path). Empty: nothing.")
        @Default
        List<String> allow,

        @Doc(
                "Copies of data sets that this node keeps for its work; absent: none, and jobs with the strategies copy and"
                        + " overlap are refused.")
        CopiesConfig copies,

        @Doc("Credentials of data sources by name; a job names them with source.credentials.") @Default
        Map<String, CredentialConfig> credentials) {
    /** Prefix of allowed folders. */
    public static final String FILE = "file:";

    private static final long MEMORY_MIN = 64L << 20;
    private static final int WORKERS_MAX = 256;
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[A-Za-z0-9._-]+(:\\d{1,5})?|\\[[0-9A-Fa-f:.]+](:\\d{1,5})?");

    /** Checks the values. */
    public DatasetsConfig {
        new Requirements()
                .that(workers >= 0 && workers <= WORKERS_MAX, "workers", workers, "0 to " + WORKERS_MAX)
                .that(memory.bytes() >= MEMORY_MIN, "memory", memory, "at least 64MiB")
                .check();
        allow.forEach(entry -> checkPlace("allow", entry));
        credentials.forEach((name, credential) -> checkCredential("credentials." + name, credential));
    }

    private static void checkCredential(String key, CredentialConfig credential) {
        new Requirements()
                .that(!credential.hosts().isEmpty(), key + ".hosts", "empty", "the hosts that may receive them")
                .that(
                        !credential.user().isEmpty() || !credential.token().isEmpty(),
                        key,
                        "empty",
                        "user and password, or token")
                .check();
        credential.hosts().forEach(host -> checkHost(key + ".hosts", host));
    }

    private static void checkPlace(String key, String entry) {
        if (entry.startsWith(FILE)) {
            new Requirements()
                    .that(entry.startsWith(FILE + "/"), key, entry, "an absolute path after file:")
                    .check();
        } else {
            checkHost(key, entry);
        }
    }

    private static void checkHost(String key, String entry) {
        new Requirements()
                .that(
                        HOST.matcher(entry).matches(),
                        key,
                        "'" + entry + "'",
                        "host, host:port, *.domain, an IPv6 address in brackets, or file:/path")
                .check();
    }

    /** Returns the number of threads for a number of processors of the JVM. */
    public int threads(int processors) {
        return workers > 0 ? workers : Math.max(1, processors / 2);
    }

    /** Returns the allowed hosts. */
    public List<String> allowedHosts() {
        return allow.stream().filter(entry -> !entry.startsWith(FILE)).toList();
    }

    /** Returns the allowed folders, absolute. */
    public List<Path> allowedFolders() {
        return allow.stream()
                .filter(entry -> entry.startsWith(FILE))
                .map(entry -> Path.of(entry.substring(FILE.length())))
                .toList();
    }
}
