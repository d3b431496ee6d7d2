package io.chimera.dataset.source.s3;

/**
 * Credentials of an S3 server. The text of the record shows no secret.
 *
 * @param accessKey id of the key; empty for anonymous requests
 * @param secretKey the key; empty for anonymous requests
 * @param sessionToken token of temporary credentials; empty without one
 */
public record S3Credentials(String accessKey, String secretKey, String sessionToken) {
    /** No credentials: requests are not signed. */
    public static final S3Credentials ANONYMOUS = new S3Credentials("", "", "");

    /**
     * Checks the values.
     *
     * @param accessKey letters, digits and some signs of ASCII
     * @param secretKey without control characters
     * @param sessionToken visible ASCII
     */
    public S3Credentials {
        if (accessKey.isEmpty() != secretKey.isEmpty() || (accessKey.isEmpty() && !sessionToken.isEmpty())) {
            throw new IllegalArgumentException("S3 credentials without access key or secret key; set both, or neither");
        }
        if (!isVisible(accessKey) || accessKey.indexOf('/') >= 0 || !isVisible(sessionToken) || !isVisible(secretKey)) {
            throw new IllegalArgumentException(
                    "S3 credentials with a space, a control character or a character beyond ASCII; check the line ends");
        }
    }

    /** Returns whether requests are not signed. */
    public boolean isAnonymous() {
        return accessKey.isEmpty();
    }

    private static boolean isVisible(String text) {
        return text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    @Override
    public String toString() {
        return isAnonymous() ? "S3Credentials[anonymous]" : "S3Credentials[accessKey=" + accessKey + "]";
    }
}
