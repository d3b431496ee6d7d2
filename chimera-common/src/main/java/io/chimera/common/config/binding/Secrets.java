package io.chimera.common.config.binding;

import java.util.regex.Pattern;

/** Redacts secrets in logs and printed configurations. */
public final class Secrets {
    /** Placeholder of a secret. */
    public static final String REDACTED = "[redacted]";

    private static final Pattern SECRET_KEY = Pattern.compile("(?i)(.*[_.-])?(password|token|secret)");
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]*@");

    private Secrets() {}

    /** Returns whether the value of a key is a secret, regardless of its source. */
    public static boolean isSecret(String key) {
        return SECRET_KEY.matcher(key).matches();
    }

    /** Replaces user and password in every URL of a text. */
    public static String withoutUserInfo(String text) {
        return USER_INFO.matcher(text).replaceAll(REDACTED + "@");
    }
}
