package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Extensible;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.Secrets;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.binding.Settings;
import java.net.URI;
import java.time.Duration;

/** Store of rows. */
public record StoreConfig(
        @Doc("Store type: kairosdb; postgresql (docs/postgresql.md); archive (docs/archive.md); or the name of a store"
                + " plugin, with additional keys of its own.")
        @Default(KAIROSDB)
        String type,

        @Doc("Address of the REST API, e.g. http://kairos:8080, or of the database, e.g."
                + " postgresql://db:5432/metrics; not for an archive.")
        String url,

        @Doc("Maximum number of rows per request, or per flush of the archive's device; 1 to 100_000.")
        @Default("10_000")
        Integer batchRows,

        @Doc("Time limit of a request, a call of a plugin, or a write to the archive's device; afterwards the"
                + " attempt has failed and is retried. 100ms to 10m.")
        @Default("30s")
        Duration timeout,

        @Doc("Whether requests are compressed with gzip; not for an archive and a database.")
        Boolean gzip,

        @Doc("Certificates for an https url; absent: those of the Java runtime. For type postgresql, the presence of"
                + " the section enables TLS. Only for types kairosdb and postgresql.")
        TlsConfig tls,

        @Doc("Access to the database; only for type postgresql.")
        PostgresConfig postgresql,

        @Doc("Volume of the rows; only for type archive.") VolumeConfig archive,

        @Doc("Maximum share of refused rows of a write, 0 to 1. A higher share is an outage: nothing commits. Rows of"
                + " a single group never exceed the share.")
        @Default("0.1")
        Double refusedMax,

        @Doc("Minimum duration of such an outage while the store accepts a known-good row; then the refused rows go"
                + " to the dead letters; 1s to 30d.")
        @Default("5m") // longer than the restart of one node of a store's cluster
        Duration refusedFor,

        Settings settings)
        implements Extensible {
    /** Built-in store type: KairosDB, over its REST API. */
    public static final String KAIROSDB = "kairosdb";

    /** Built-in store type: tables of PostgreSQL. */
    public static final String POSTGRESQL = "postgresql";

    /** Built-in store type: a stream of a volume. */
    public static final String ARCHIVE = "archive";

    /** Default of {@code url} for stores except archives. */
    public static final String URL_DEFAULT = "http://127.0.0.1:8080";

    /** Checks the values. */
    public StoreConfig {
        boolean isArchive = type.equals(ARCHIVE);
        boolean isDatabase = type.equals(POSTGRESQL);
        Requirements requirements = new Requirements()
                .that(
                        !isArchive || url == null || url.isEmpty(),
                        "url",
                        "given",
                        "none for type: archive, which has devices")
                .that(
                        !isArchive || gzip == null || !gzip,
                        "gzip",
                        "given",
                        "none for type: archive, which sends nothing")
                .that(!isDatabase || gzip == null || !gzip, "gzip", "given", "none for type: postgresql");
        url = url == null ? (isArchive || isDatabase ? "" : URL_DEFAULT) : url;
        gzip = gzip == null ? !isArchive && !isDatabase : gzip;
        postgresql = isDatabase && postgresql == null ? Sections.of(PostgresConfig.class) : postgresql;
        archive = isArchive ? VolumeConfig.ofPoints(archive) : archive;
        requirements
                .that(
                        !type.equals(KAIROSDB) || isHttp(url),
                        "url",
                        "'" + Secrets.withoutUserInfo(url) + "'",
                        "a URL such as http://kairos:8080")
                .that(
                        archive == null || type.equals(ARCHIVE),
                        "archive",
                        "given",
                        "none for this type of store, only for type: archive")
                .that(
                        !isDatabase || PostgresConfig.isAddress(url),
                        "url",
                        "'" + Secrets.withoutUserInfo(url) + "'",
                        "an address such as postgresql://db:5432/metrics, without user, password and parameters")
                .that(
                        postgresql == null || isDatabase,
                        "postgresql",
                        "given",
                        "none for this type of store, only for type: postgresql")
                .that(
                        tls == null || isDatabase || (type.equals(KAIROSDB) && url.startsWith("https:")),
                        "tls",
                        "given",
                        "none, except for type: kairosdb with a url that begins with https://, and for type: postgresql")
                .between("batch_rows", batchRows, 1, 100_000)
                .between("timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(10))
                .between("refused_max", refusedMax, 0.0, 1.0)
                .between("refused_for", refusedFor, Duration.ofSeconds(1), Duration.ofDays(30))
                .check();
    }

    @Override
    public boolean isPlugin() {
        return !type.equals(KAIROSDB) && !type.equals(POSTGRESQL) && !type.equals(ARCHIVE);
    }

    private static boolean isHttp(String text) {
        if (!text.matches("https?://.+")) {
            return false;
        }
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return "StoreConfig[type=" + type + (url.isEmpty() ? "" : ", url=" + Secrets.withoutUserInfo(url)) + "]";
    }
}
