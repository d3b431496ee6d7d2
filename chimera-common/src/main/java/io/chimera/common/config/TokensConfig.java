package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.ConfigBinder;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigNode.Section;
import io.chimera.common.config.binding.ConfigProblem;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.YamlReader;
import io.chimera.common.identity.AccessRole;
import io.chimera.common.identity.PasswordHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Token file: all principals permitted to send to a node or operate it. */
public record TokensConfig(
        @Doc("Principals, by name; the name is also the user name of basic authentication.") @Default
        Map<String, Token> tokens) {

    /** Principal. */
    public record Token(
            @Doc("SHA-256 of a token created by chimera token new, 64 hexadecimal digits.") @Default
            String sha256,

            @Doc("Hash of a password, as printed by chimera token password.") @Default
            String password,

            @Doc("Roles: ingest, view, tap, operate, admin.") @Default
            List<AccessRole> roles,

            @Doc("Names of the inputs for the role ingest; empty: all.") @Default
            List<String> inputs,

            @Doc("Maximum number of data points per second, on each node; 0: no limit.") @Default("0")
            Long pointsPerSecond,

            @Doc("Maximum number of decompressed bytes per second, on each node; 0: no limit.") @Default("0B")
            ByteSize bytesPerSecond,

            @Doc("Maximum number of open connections, on each node; 0: no limit.") @Default("0")
            Integer connections,

            @Doc("Maximum number of new series per hour, on each node; 0: no limit.") @Default("0")
            Long newSeries,

            @Doc("Last day of validity (2027-01-31, UTC) or an instant (2027-01-31T12:00:00Z); empty: always valid.")
            @Default
            String notAfter) {
        /** Checks the values. */
        public Token {
            new Requirements()
                    .that(
                            sha256.isEmpty() || sha256.matches("[0-9a-f]{64}"),
                            "sha256",
                            "malformed",
                            "64 hexadecimal digits in lower case, as printed by chimera token new")
                    .that(
                            password.isEmpty() || PasswordHash.isHash(password),
                            "password",
                            "no hash",
                            "the output of chimera token password, never the password itself")
                    .that(pointsPerSecond >= 0, "points_per_second", pointsPerSecond, "0 or more")
                    .that(connections >= 0, "connections", connections, "0 or more")
                    .that(newSeries >= 0, "new_series", newSeries, "0 or more")
                    .that(isTime(notAfter), "not_after", notAfter, "a day (2027-01-31) or an instant in UTC")
                    .check();
        }

        private static boolean isTime(String text) {
            try {
                instant(text);
                return true;
            } catch (DateTimeException e) {
                return false;
            }
        }

        private static Instant instant(String text) {
            if (text.isEmpty()) {
                return null;
            }
            return text.length() == "2027-01-31".length()
                    ? LocalDate.parse(text)
                            .plusDays(1)
                            .atStartOfDay(ZoneOffset.UTC)
                            .toInstant()
                    : Instant.parse(text);
        }

        /** End of validity; null without an end. */
        public Instant expiry() {
            return instant(notAfter);
        }

        @Override
        public String toString() {
            return "Token" + roles; // never contains the hashes
        }
    }

    /** Copies the map. */
    public TokensConfig {
        tokens = Map.copyOf(tokens);
    }

    /**
     * Reads a token file.
     *
     * @throws ConfigException for an invalid file; contains all problems, never a hash
     */
    public static TokensConfig read(Path file) {
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ConfigException(List.of(ConfigProblem.ofFile(
                    file.toString(),
                    "The token file cannot be read (" + e.getClass().getSimpleName()
                            + "). Correct node.tokens, or the permissions of the file.")));
        }
        List<ConfigProblem> problems = new ArrayList<>();
        Section root = YamlReader.readFile(file.toString(), text);
        TokensConfig tokens = new ConfigBinder(problems).bind(root, TokensConfig.class, "");
        if (problems.isEmpty()) {
            tokens.tokens.forEach((name, token) -> {
                String key = "tokens." + name;
                if (token.sha256.isEmpty() == token.password.isEmpty()) {
                    problems.add(root.place().problem(key, key + " needs either sha256 or password."));
                }
                if (token.roles.isEmpty()) {
                    problems.add(root.place()
                            .problem(
                                    key + ".roles",
                                    key + ".roles is empty; name at least one of ingest, view, tap, operate, admin."));
                }
            });
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return tokens;
    }
}
