package io.chimera.dataset.definition;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.AllowedHosts;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.file.FolderSource;
import io.chimera.dataset.source.http.HttpCredentials;
import io.chimera.dataset.source.http.HttpLocation;
import io.chimera.dataset.source.http.HttpSettings;
import io.chimera.dataset.source.http.HttpSource;
import io.chimera.dataset.source.s3.S3Credentials;
import io.chimera.dataset.source.s3.S3Location;
import io.chimera.dataset.source.s3.S3Source;
import io.chimera.dataset.source.xrootd.XrootdSettings;
import io.chimera.dataset.source.xrootd.XrootdSource;
import io.chimera.dataset.source.xrootd.XrootdUrl;
import java.net.URI;
import java.nio.file.Path;

/** Creates the source of a job. */
public final class Sources {
    /** Maximum number of objects of a job: the plan names each of them. */
    private static final int OBJECTS_MAX = 1_000_000;

    private Sources() {}

    /**
     * Creates a source; opens no connection.
     *
     * @param config the source
     * @param folder folder of the job's file, for relative paths
     * @param allowed hosts that may be contacted
     * @param clock time of requests
     * @throws IllegalArgumentException when the address is none of a source
     */
    public static DataSource open(SourceConfig config, Path folder, AllowedHosts allowed, Clock clock) {
        String url = config.url();
        int colon = url.indexOf(':');
        String scheme = colon < 0 ? "" : url.substring(0, colon);
        return switch (scheme) {
            case "file" -> new FolderSource(folder.resolve(path(url.substring(colon + 1))), OBJECTS_MAX);
            case "http", "https" ->
                new HttpSource(
                        new HttpLocation(URI.create(url), http(config), false), HttpSettings.DEFAULT, allowed, clock);
            case "s3" -> s3(config, url.substring(colon + 1), allowed, clock);
            case "root", "roots", "xroot", "xroots" ->
                new XrootdSource(XrootdSettings.of(XrootdUrl.parse(url)), allowed, null, clock);
            default ->
                throw new IllegalArgumentException("source.url is " + config.place()
                        + "; expected file:PATH, http://…, https://…, s3:BUCKET/PREFIX, root://… or roots://…");
        };
    }

    /**
     * Creates the source of a folder that the caller has checked; touches no file.
     *
     * @param real real path of the folder
     */
    public static DataSource folder(Path real) {
        return FolderSource.ofRealPath(real, OBJECTS_MAX);
    }

    /** Returns the path of {@code file:path} and {@code file:///path}. */
    private static String path(String text) {
        return text.startsWith("///") ? text.substring(2) : text;
    }

    private static HttpCredentials http(SourceConfig config) {
        if (!config.token().isEmpty()) {
            return HttpCredentials.bearer(config.token());
        }
        return config.user().isEmpty() ? HttpCredentials.NONE : HttpCredentials.basic(config.user(), config.password());
    }

    private static S3Source s3(SourceConfig config, String place, AllowedHosts allowed, Clock clock) {
        String named = place.startsWith("//") ? place.substring(2) : place;
        int slash = named.indexOf('/');
        String bucket = slash < 0 ? named : named.substring(0, slash);
        String prefix = slash < 0 ? "" : named.substring(slash + 1);
        if (config.endpoint().isEmpty()) {
            throw new IllegalArgumentException("source.endpoint is not given; expected the address of the S3 server");
        }
        return new S3Source(
                new S3Location(URI.create(config.endpoint()), config.region(), bucket, prefix, S3Location.Style.PATH),
                new S3Credentials(config.user(), config.password(), config.token()),
                OBJECTS_MAX,
                HttpSettings.DEFAULT,
                allowed,
                clock);
    }
}
