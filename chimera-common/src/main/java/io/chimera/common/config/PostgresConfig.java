package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.regex.Pattern;

/** Access to the database of a store of type postgresql (docs/postgresql.md). */
public record PostgresConfig(
        @Doc("User of the database.") @Default("chimera") String user,

        @Doc("Password of the user, e.g. ${file:/etc/chimera/postgresql.password}; empty: the database asks for none.")
        @Default
        String password,

        @Doc("Schema of the tables chimera_series and chimera_rows.") @Default("public")
        String schema,

        @Doc("Who creates the tables: existing (the operator, see docs/postgresql.md) or create (the store, at the"
                + " first connection, if the tables are missing).")
        @Default("existing")
        Tables tables) {
    private static final Pattern IDENTIFIER = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,62}");

    /** Hosts with optional ports, separated by commas, and the name of the database. */
    private static final Pattern ADDRESS =
            Pattern.compile("postgresql://" + Host.ANY + "(," + Host.ANY + ")*/[^/?#&@\\s]+");

    /** Pattern of a host. */
    private static final class Host {
        static final String ANY = "([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?";
    }

    /** Creator of the tables. */
    public enum Tables {
        /** The operator. */
        EXISTING,
        /** The store. */
        CREATE
    }

    /** Checks the values. */
    public PostgresConfig {
        new Requirements()
                .that(!user.isBlank(), "user", "empty", "the name of a user of the database")
                .that(
                        IDENTIFIER.matcher(schema).matches(),
                        "schema",
                        "'" + schema + "'",
                        "1 to 63 lower-case letters, digits and underscores, without the prefix pg_")
                .check();
    }

    /** Returns whether a text is the address of a database. */
    static boolean isAddress(String url) {
        return ADDRESS.matcher(url).matches();
    }

    /** Returns the values without the secrets. */
    @Override
    public String toString() {
        return "PostgresConfig[user=" + user + ", schema=" + schema + ", tables=" + tables + "]";
    }
}
