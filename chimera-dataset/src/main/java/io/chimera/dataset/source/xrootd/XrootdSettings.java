package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.connection.XrootdLimits;

/**
 * Settings of an XRootD source.
 *
 * @param url server and folder
 * @param user name for the servers' logs: 1 to 8 ASCII letters or digits
 * @param isChecksumListed whether a listing asks for the checksum of each object; a server may compute a checksum
 *     first, which reads the whole object
 * @param limits time limits and bounds
 */
public record XrootdSettings(XrootdUrl url, String user, boolean isChecksumListed, XrootdLimits limits) {
    /**
     * Checks the values.
     *
     * @param url server and folder
     * @param user name for the servers' logs
     * @param isChecksumListed whether a listing asks for checksums
     * @param limits time limits and bounds
     */
    public XrootdSettings {
        if (!user.matches("[A-Za-z0-9]{1,8}")) {
            throw new IllegalArgumentException("user \"" + user + "\"; expected 1 to 8 ASCII letters or digits");
        }
    }

    /**
     * Returns settings with the default limits, without checksums in listings.
     *
     * @param url server and folder
     */
    public static XrootdSettings of(XrootdUrl url) {
        return new XrootdSettings(url, "chimera", false, XrootdLimits.DEFAULT);
    }
}
