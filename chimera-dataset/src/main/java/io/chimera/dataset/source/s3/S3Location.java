package io.chimera.dataset.source.s3;

import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.http.PercentEncoding;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Address of a data set in a bucket.
 *
 * @param endpoint address of the server, without a path: {@code https://s3.eu-central-1.amazonaws.com}
 * @param region name of the region in signatures; many servers besides AWS accept {@code us-east-1}
 * @param bucket name of the bucket
 * @param prefix folder in the bucket that is the root of the data set, ending with {@code /}; empty for the whole
 *     bucket
 * @param style place of the bucket's name in addresses
 */
public record S3Location(URI endpoint, String region, String bucket, String prefix, Style style) {
    private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]");
    private static final Pattern HOST_BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern REGION = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /** Place of the bucket's name in addresses. */
    public enum Style {
        /** {@code endpoint/bucket/key}. */
        PATH,
        /** {@code bucket.endpoint/key}. */
        VIRTUAL_HOST
    }

    /**
     * Checks the values, and appends {@code /} to a prefix without one.
     *
     * @param endpoint scheme http or https, host and port; no user, path, query or fragment
     * @param region letters, digits and {@code -}
     * @param bucket name of the bucket
     * @param prefix folder in the bucket, or empty
     * @param style place of the bucket's name
     */
    public S3Location {
        String scheme = String.valueOf(endpoint.getScheme()).toLowerCase(Locale.ROOT);
        String path = String.valueOf(endpoint.getRawPath());
        if (!(scheme.equals("http") || scheme.equals("https"))
                || endpoint.getHost() == null
                || endpoint.getRawUserInfo() != null
                || !(path.isEmpty() || path.equals("/"))
                || endpoint.getRawQuery() != null
                || endpoint.getRawFragment() != null) {
            // The address is left out: it may have credentials.
            throw new IllegalArgumentException(
                    "endpoint of S3; expected https://host[:port] without user, path and query;"
                            + " set credentials and bucket by their own keys");
        }
        if (!(style == Style.PATH ? BUCKET : HOST_BUCKET).matcher(bucket).matches()) {
            throw new IllegalArgumentException(
                    "bucket \"" + bucket + "\"; expected 3 to 63 characters of a-z, 0-9, . and -");
        }
        if (!REGION.matcher(region).matches()) {
            throw new IllegalArgumentException("region \"" + region + "\"; expected a name such as eu-central-1");
        }
        if (!prefix.isEmpty() && !prefix.endsWith("/")) {
            prefix = prefix + "/";
        }
        if (!prefix.isEmpty() && !PathPattern.isPath(prefix.substring(0, prefix.length() - 1))) {
            throw new IllegalArgumentException("prefix \"" + prefix + "\"; expected folders without / in front");
        }
        // The signature has the host as it is sent: lower-case, and without the port that the scheme implies.
        int implied = scheme.equals("https") ? 443 : 80;
        String port = endpoint.getPort() < 0 || endpoint.getPort() == implied ? "" : ":" + endpoint.getPort();
        endpoint = URI.create(scheme + "://" + endpoint.getHost().toLowerCase(Locale.ROOT) + port);
    }

    /** Returns the place for messages. */
    String place() {
        return endpoint + "/" + bucket + "/" + prefix;
    }

    /** Returns the address of an object, with percent-encoded path. */
    URI ofObject(String path) {
        return URI.create(bucketAddress() + "/" + PercentEncoding.ofPath(prefix + path));
    }

    /** Returns the address of the bucket with a query that is already encoded. */
    URI ofBucket(String query) {
        return URI.create(bucketAddress() + (style == Style.PATH ? "" : "/") + "?" + query);
    }

    private String bucketAddress() {
        if (style == Style.PATH) {
            return endpoint + "/" + bucket;
        }
        return endpoint.toString().replaceFirst("://", "://" + bucket + ".");
    }
}
