package io.chimera.dataset.source.http;

import java.net.URI;
import java.util.Locale;

/**
 * Address of a data set on an HTTP server.
 *
 * @param base address of the root; ends with {@code /}
 * @param credentials credentials for the server of this address
 * @param asksDigest whether the server is asked for checksums ({@code Want-Digest}); some servers, such as XRootD, then
 *     read the whole object before they answer
 */
public record HttpLocation(URI base, HttpCredentials credentials, boolean asksDigest) {
    /**
     * Checks the address, and appends {@code /} when it is missing.
     *
     * @param base absolute address with the scheme http or https, without user, query and fragment
     * @param credentials credentials for the server
     * @param asksDigest whether the server is asked for checksums
     */
    public HttpLocation {
        String scheme = String.valueOf(base.getScheme()).toLowerCase(Locale.ROOT);
        boolean isHttp = scheme.equals("http") || scheme.equals("https");
        if (!isHttp
                || base.getHost() == null
                || base.getRawUserInfo() != null
                || base.getRawQuery() != null
                || base.getRawFragment() != null) {
            // The address is left out: it may have credentials.
            throw new IllegalArgumentException(
                    "address of an HTTP source; expected http://host[:port]/path or https://…,"
                            + " without user, query and fragment; set credentials by their own keys");
        }
        if (!base.getRawPath().endsWith("/")) {
            base = URI.create(base + "/");
        }
    }

    /** Returns the address of an object. */
    URI of(String path) {
        return URI.create(base + PercentEncoding.ofPath(path));
    }
}
