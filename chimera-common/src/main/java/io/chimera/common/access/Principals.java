package io.chimera.common.access;

import io.chimera.common.config.TokensConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.identity.AccessRole;
import io.chimera.common.identity.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Principals of one version of the token file. Immutable. */
final class Principals {
    private static final class Known {
        private final Principal principal;
        private final byte[] sha256;
        private final PasswordHash password;

        Known(Principal principal, byte[] sha256, PasswordHash password) {
            this.principal = principal;
            this.sha256 = sha256;
            this.password = password;
        }
    }

    private static final Duration EXPIRES_SOON = Duration.ofDays(7);

    static final Principals NONE = new Principals(Sections.of(TokensConfig.class));

    private final List<Known> all = new ArrayList<>();
    private final PasswordHash anyPassword;

    Principals(TokensConfig config) {
        PasswordHash any = null;
        for (var entry : config.tokens().entrySet()) {
            TokensConfig.Token token = entry.getValue();
            Set<AccessRole> roles = EnumSet.noneOf(AccessRole.class);
            token.roles().forEach(role -> roles.addAll(role.included()));
            Principal principal = new Principal(
                    entry.getKey(),
                    roles,
                    Set.copyOf(token.inputs()),
                    new Quota(
                            token.pointsPerSecond(),
                            token.bytesPerSecond().bytes(),
                            token.connections(),
                            token.newSeries()),
                    token.expiry(),
                    HexFormat.of().formatHex(sha256(token.sha256() + "\n" + token.password())));
            PasswordHash password = token.password().isEmpty() ? null : PasswordHash.parse(token.password());
            any = password == null ? any : password;
            byte[] sha256 = HexFormat.of().parseHex(token.sha256());
            all.add(new Known(principal, sha256, password));
        }
        anyPassword = any;
    }

    /** Warnings about tokens that expire within a week or have expired. */
    List<String> expiring(long epochMs) {
        Instant soon = Instant.ofEpochMilli(epochMs).plus(EXPIRES_SOON);
        return all.stream()
                .map(known -> known.principal)
                .filter(principal ->
                        principal.notAfter() != null && principal.notAfter().isBefore(soon))
                .map(principal -> "The token of " + principal.name()
                        + (principal.isExpired(epochMs) ? " expired at " : " expires at ")
                        + principal.notAfter()
                        + ". Its clients are refused from then on; give them a new one, or remove it from the"
                        + " token file.")
                .toList();
    }

    int size() {
        return all.size();
    }

    /** Returns the principal of a token. Compares with every token, so the time reveals nothing. */
    Principal ofToken(String token) {
        byte[] shown = sha256(token);
        Principal found = null;
        for (Known known : all) {
            if (MessageDigest.isEqual(known.sha256, shown)) {
                found = known.principal;
            }
        }
        return found;
    }

    /** Returns the principal with a name, or null. */
    Principal ofName(String name) {
        Known known = find(name);
        return known == null ? null : known.principal;
    }

    /**
     * Returns whether a login with this name needs a slow password check, or an unknown name must appear to need one.
     */
    boolean isSlow(String name) {
        return anyPassword != null && (find(name) == null || find(name).password != null);
    }

    /**
     * Returns the principal of a name and a password, or of a token in place of the password. Takes the same time for
     * an unknown name.
     */
    Principal ofPassword(String name, String secret) {
        Known known = find(name);
        if (known != null && known.password == null) {
            Principal byToken = ofToken(secret);
            return known.principal.equals(byToken) ? byToken : null;
        }
        PasswordHash hash = known == null ? anyPassword : known.password;
        boolean isRight = hash != null && hash.matches(secret);
        return isRight && known != null ? known.principal : null;
    }

    private Known find(String name) {
        Known found = null;
        for (Known known : all) {
            if (known.principal.name().equals(name)) {
                found = known;
            }
        }
        return found;
    }

    static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("The JDK lacks SHA-256.", e);
        }
    }
}
