package io.chimera.processor.store.postgresql;

import io.chimera.api.spi.StoreException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * Translates errors of PostgreSQL. The class of the SQLSTATE distinguishes refused content from a database that does
 * not accept rows now, and the remedy names the action of the operator.
 */
final class SqlFailure {
    /**
     * Classes for refused content: cardinality violation, data exception, integrity constraint violation, check option
     * violation, exceeded program limit, exception of a trigger.
     */
    private static final Set<String> CONTENT = Set.of("21", "22", "23", "44", "54", "P0");

    private static final String NETWORK = "Start the database, or correct the url of the store.";
    private static final String TLS =
            "The authority of the certificate must be in tls.ca of the store (without tls.ca: an"
                    + " authority of the Java runtime), and the certificate must name the host of the url.";
    private static final String WAIT = "The rows are written again.";

    /** Remedies by class; a class without a remedy needs the log of the database. */
    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry("08", NETWORK),
            Map.entry("28", "Correct user and password of the store, or pg_hba.conf of the database."),
            Map.entry("3D", "Create the database, or correct the url of the store."),
            Map.entry("25", "The database must accept writes: name the primary server in the url of the store."),
            Map.entry("42", "Grant the rights, or correct the tables: see docs/postgresql.md."),
            Map.entry("3F", "Create the schema, or correct postgresql.schema of the store."),
            Map.entry("53", "Give the database more disk, memory or connections."),
            Map.entry("40", WAIT),
            Map.entry("55", WAIT),
            Map.entry("57", WAIT));

    private final String address;

    /**
     * Creates a translation.
     *
     * @param address address of the database, for the messages
     */
    SqlFailure(String address) {
        this.address = address;
    }

    /** Returns whether the database refuses the content of rows. */
    static boolean isContent(SQLException e) {
        return CONTENT.contains(group(e));
    }

    private static String group(SQLException e) {
        String state = e.getSQLState();
        return state == null || state.length() < 2 ? "" : state.substring(0, 2);
    }

    StoreException of(SQLException e) {
        boolean isContent = isContent(e);
        String remedy = remedy(e, isContent);
        return new StoreException(
                "PostgreSQL at " + address + " failed with SQLSTATE " + e.getSQLState() + " (" + words(e) + "). "
                        + remedy,
                !isContent,
                e);
    }

    private static String remedy(SQLException e, boolean isContent) {
        if (isContent) {
            return "PostgreSQL refuses the content.";
        }
        return isTls(e) ? TLS : REMEDIES.getOrDefault(group(e), "Check the log of the database.");
    }

    private static boolean isTls(SQLException e) {
        Throwable cause = e;
        while (cause != null && !(cause instanceof SSLException)) {
            cause = cause.getCause();
        }
        // the driver verifies the name of the host itself
        return cause != null || String.valueOf(e.getMessage()).contains("hostnameverifier");
    }

    /** Returns the first line of the message; further lines repeat values of rows. */
    private static String words(SQLException e) {
        String message = String.valueOf(e.getMessage()).strip();
        return message.lines().findFirst().orElse("no message");
    }
}
