package io.chimera.common.config;

import java.util.regex.Pattern;

/** What must not be seen in logs and printed configurations. */
public final class Secrets {
    /** Stands where a secret stood. */
    public static final String REDACTED = "[redacted]";

    private static final Pattern SECRET_KEY = Pattern.compile("(?i)(.*[_.-])?(password|token|secret)");
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]*@");

    private Secrets() {}

    /** Whether the value of a key is a secret, wherever it came from. */
    public static boolean isSecret(String key) {
        return SECRET_KEY.matcher(key).matches();
    }

    /** A text in which user and password of every URL are replaced. */
    public static String withoutUserInfo(String text) {
        return USER_INFO.matcher(text).replaceAll(REDACTED + "@");
    }
}
