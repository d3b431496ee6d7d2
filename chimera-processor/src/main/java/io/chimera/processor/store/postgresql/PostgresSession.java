package io.chimera.processor.store.postgresql;

import io.chimera.api.spi.StoreException;
import io.chimera.common.config.PostgresConfig;
import io.chimera.common.config.PostgresConfig.Tables;
import io.chimera.common.security.Tls;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.copy.CopyManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to the database with the temporary tables of a shard. Each statement has a time limit on both sides, and
 * the database ends a transaction of a paused or unreachable processor, so that its locks do not stop the next owner of
 * the shard. One thread.
 */
final class PostgresSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSession.class);

    /**
     * Minimum time before the database ends an idle transaction: suspect rows are written again after at most 5 s, and
     * a long pause of the JVM needs a multiple.
     */
    private static final Duration IDLE_MIN = Duration.ofSeconds(30);

    private static final String SAVEPOINT = "savepoint chimera_batch";
    private static final String RELEASE = "release " + SAVEPOINT;
    private static final String UNDO = "rollback to " + SAVEPOINT + "; " + RELEASE;
    private static final UUID FIRST = new UUID(0, 0);

    private final Connection connection;
    private final CopyManager copies;
    private final PostgresTables tables;

    private PostgresSession(Connection connection, PostgresTables tables) throws SQLException {
        this.connection = connection;
        this.tables = tables;
        copies = connection.unwrap(PGConnection.class).getCopyAPI();
    }

    /** Parameters of a connection. */
    record Access(String url, Duration timeout, PostgresConfig config, Optional<String> tls) {
        /**
         * Creates parameters.
         *
         * @param certificates certificates; empty for a connection without TLS
         */
        static Access of(String url, Duration timeout, PostgresConfig config, Optional<Tls> certificates) {
            return new Access(url, timeout, config, certificates.map(TlsSockets::register));
        }

        private Properties properties() {
            String seconds = Long.toString(Math.max(1, timeout.toSeconds()));
            Properties properties = new Properties();
            PGProperty.USER.set(properties, config.user());
            if (!config.password().isEmpty()) {
                PGProperty.PASSWORD.set(properties, config.password());
            }
            PGProperty.APPLICATION_NAME.set(properties, "chimera");
            PGProperty.CONNECT_TIMEOUT.set(properties, seconds);
            PGProperty.LOGIN_TIMEOUT.set(properties, seconds);
            PGProperty.SOCKET_TIMEOUT.set(properties, seconds);
            PGProperty.TCP_KEEP_ALIVE.set(properties, true);
            PGProperty.TARGET_SERVER_TYPE.set(properties, "primary");
            // details repeat values of rows
            PGProperty.LOG_SERVER_ERROR_DETAIL.set(properties, false);
            PGProperty.GSS_ENC_MODE.set(properties, "disable");
            PGProperty.SSL_MODE.set(properties, tls.isPresent() ? "verify-full" : "disable");
            if (tls.isPresent()) {
                PGProperty.SSL_FACTORY.set(properties, TlsSockets.class.getName());
                PGProperty.SSL_FACTORY_ARG.set(properties, tls.get());
            } else {
                // a password in the clear needs TLS
                PGProperty.REQUIRE_AUTH.set(properties, "!password");
            }
            return properties;
        }
    }

    /** Connects, and checks or creates the tables. */
    static PostgresSession open(Access access, SqlFailure failure) throws StoreException {
        PostgresTables tables = new PostgresTables(access.config.schema());
        @Nullable Connection connection = null;
        try {
            connection = new Driver().connect("jdbc:" + access.url, access.properties());
            if (connection == null) {
                throw new IllegalStateException("The driver does not know " + access.url);
            }
            PostgresSession session = new PostgresSession(connection, tables);
            session.prepare(access);
            return session;
        } catch (SQLException e) {
            closeQuietly(connection);
            throw failure.of(e);
        } catch (StoreException | RuntimeException e) {
            closeQuietly(connection);
            throw e;
        }
    }

    private static void closeQuietly(@Nullable Connection connection) {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("A connection to PostgreSQL ended with an error.", e);
        }
    }

    private void prepare(Access access) throws SQLException, StoreException {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        long timeoutMs = access.timeout.toMillis();
        execute("set statement_timeout = " + timeoutMs);
        execute("set idle_in_transaction_session_timeout = " + Math.max(IDLE_MIN.toMillis(), 2 * timeoutMs));
        // an acknowledged row survives the end of the machine
        query("select set_config('synchronous_commit', 'on', false)"
                + " where current_setting('synchronous_commit') = 'off'");
        if (query("select 1 where current_setting('server_encoding') = 'UTF8'").isEmpty()) {
            throw refusal("The database " + access.url + " does not have the encoding UTF8. Create a database with"
                    + " encoding UTF8.");
        }
        connection.setAutoCommit(false);
        if (areTablesMissing()) {
            createTables(access);
        }
        for (String command : PostgresTables.createTemporary()) {
            execute(command);
        }
        connection.commit();
    }

    private boolean areTablesMissing() throws SQLException {
        return query(tables.areMissing()).contains("t");
    }

    private void createTables(Access access) throws SQLException, StoreException {
        if (access.config.tables() == Tables.EXISTING) {
            throw refusal("The database " + access.url + " has no table " + tables.series() + " or " + tables.rows()
                    + ". Create the tables of docs/postgresql.md, or set postgresql.tables of the store to create.");
        }
        query(PostgresTables.lockForCreation());
        if (!areTablesMissing()) {
            return; // another store was faster
        }
        for (String command : tables.create()) {
            execute(command);
        }
        LOG.info("Created tables in PostgreSQL: series={} rows={}", tables.series(), tables.rows());
    }

    private static StoreException refusal(String message) {
        return new StoreException(message, true, null);
    }

    private void execute(String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private List<String> query(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return texts(result);
        }
    }

    private static List<String> texts(ResultSet result) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (result.next()) {
            texts.add(String.valueOf(result.getString(1)));
        }
        return texts;
    }

    /** Lets deferred constraints refuse rows at the statement, not at the commit, until the end of the transaction. */
    void checkAtOnce() throws SQLException {
        execute("set constraints all immediate");
    }

    /** Begins a batch, whose refusal leaves the earlier batches of the transaction. */
    void beginBatch() throws SQLException {
        execute(SAVEPOINT);
    }

    void endBatch() throws SQLException {
        execute(RELEASE);
    }

    void undoBatch() throws SQLException {
        execute(UNDO);
    }

    /** Returns the series without a row in the table of series. */
    List<UUID> unknown(Collection<UUID> series) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tables.unknownSeries())) {
            statement.setArray(1, connection.createArrayOf("uuid", series.toArray()));
            try (ResultSet result = statement.executeQuery()) {
                List<UUID> unknown = new ArrayList<>();
                while (result.next()) {
                    unknown.add(result.getObject(1, UUID.class));
                }
                return unknown;
            }
        }
    }

    /** Sends rows to a temporary table. */
    void send(BinaryCopy copy) throws SQLException {
        copy.send(copies);
    }

    /**
     * Moves the rows from the temporary tables to the tables, in pieces with a bounded time. The ids of series are
     * uniform, so ranges of equal width have about the same number of rows.
     */
    void merge(long version, int pieces) throws SQLException {
        try (PreparedStatement series = connection.prepareStatement(tables.insertSeries());
                PreparedStatement rows = connection.prepareStatement(tables.upsertRows())) {
            rows.setLong(1, version);
            for (int piece = 0; piece < pieces; piece++) {
                series.setObject(1, first(piece, pieces));
                series.setObject(2, last(piece, pieces));
                series.executeUpdate();
                rows.setObject(2, first(piece, pieces));
                rows.setObject(3, last(piece, pieces));
                rows.executeUpdate();
            }
        }
    }

    /** Returns the smallest id of a piece; ids are ordered as unsigned numbers. */
    private static UUID first(int piece, int pieces) {
        return piece == 0 ? FIRST : new UUID(border(piece, pieces), 0);
    }

    private static UUID last(int piece, int pieces) {
        return new UUID(piece == pieces - 1 ? -1 : border(piece + 1, pieces) - 1, -1);
    }

    private static long border(int piece, int pieces) {
        return Long.divideUnsigned(-1, pieces) * piece;
    }

    /** Empties the temporary tables. */
    void clear() throws SQLException {
        execute(PostgresTables.CLEAR);
    }

    /**
     * Inserts a row like the rows of a shard; the caller takes the row back.
     *
     * @param timeMs time of the row; null for the present
     */
    void insertProbe(UUID series, @Nullable Long timeMs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tables.insertProbe())) {
            statement.setObject(1, series);
            statement.setObject(2, series);
            statement.setObject(3, timeMs == null ? null : time(timeMs));
            statement.executeUpdate();
        }
    }

    private static OffsetDateTime time(long ms) {
        return Instant.ofEpochMilli(ms).atOffset(ZoneOffset.UTC);
    }

    /** Receives stored values. */
    interface Values {
        void on(UUID series, boolean isLong, long bits);
    }

    /** Reads the values of series at a time, of rows above a version. */
    void read(Collection<UUID> series, long timeMs, long above, Values values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(tables.read())) {
            statement.setArray(1, connection.createArrayOf("uuid", series.toArray()));
            statement.setObject(2, time(timeMs));
            statement.setLong(3, above);
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    boolean isLong = result.getBoolean(2);
                    long bits = isLong ? result.getLong(4) : Double.doubleToRawLongBits(result.getDouble(3));
                    if (!result.wasNull()) {
                        values.on(result.getObject(1, UUID.class), isLong, bits);
                    }
                }
            }
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    void rollback() throws SQLException {
        connection.rollback();
    }

    /** Ends the connection; the database rolls an open transaction back. */
    @Override
    public void close() {
        closeQuietly(connection);
    }
}
