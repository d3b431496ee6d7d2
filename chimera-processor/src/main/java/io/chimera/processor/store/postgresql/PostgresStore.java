package io.chimera.processor.store.postgresql;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.config.PostgresConfig;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.security.Tls;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of a shard to PostgreSQL in one transaction. Batches go to temporary tables; the commit moves all
 * rows to the tables, so the locks of rows last for the commit only. When the commit refuses the content of a row (a
 * constraint or a trigger of the operator), the store is careful for the next shards: each batch moves to the tables
 * at once, so that the flusher finds the bad rows. One connection, one thread.
 */
public final class PostgresStore implements ShardStore, VerifiableStore {
    /** Rows of a statement of the commit: about 2 s of a slow database. */
    private static final int PIECE_ROWS = 50_000;

    /** Maximum number of pieces: each piece reads the temporary table once. */
    private static final int PIECES_MAX = 32;

    /** Maximum number of series of a query. */
    private static final int READ_SERIES = 10_000;

    /** Shards written with care after a refusal at a commit: a sender repeats a bad series in every cycle. */
    private static final int CAREFUL_SHARDS = 100;

    /** Milliseconds from 1970 to 2000, the origin of times in the binary format. */
    private static final long EPOCH_2000_MS = 946_684_800_000L;

    private static final long MICROS = 1000;

    /** Number below all versions. */
    private static final long ANY_VERSION = -1;

    private final int batchRowsMax;
    private final PostgresSession.Access access;
    private final SqlFailure failure;
    private final SeriesId ids = new SeriesId();
    private final UUID probe = ids.of("chimera.probe", Tags.of(Map.of("chimera", "probe")));
    private final JsonStringEncoder json = JsonStringEncoder.getInstance();
    private final BinaryCopy newSeries = new BinaryCopy(PostgresTables.COPY_SERIES, 3);
    private final BinaryCopy newRows = new BinaryCopy(PostgresTables.COPY_ROWS, 5);

    private @Nullable PostgresSession session;
    private @Nullable ShardWrite shard;
    private int careful;

    /** Rows in the temporary table. */
    private long staged;

    /**
     * Creates a store; does not connect yet.
     *
     * @param url address of the database, e.g. {@code postgresql://db:5432/metrics}
     * @param batchRowsMax rows per batch
     * @param timeout for connecting, and for every statement
     * @param config user, password and tables
     * @param tls certificates; empty for a connection without TLS. The host name is always verified
     */
    public PostgresStore(String url, int batchRowsMax, Duration timeout, PostgresConfig config, Optional<Tls> tls) {
        this.batchRowsMax = batchRowsMax;
        access = PostgresSession.Access.of(url, timeout, config, tls);
        failure = new SqlFailure(url);
    }

    @Override
    public String name() {
        return StoreConfig.POSTGRESQL;
    }

    @Override
    public int batchRowsMax() {
        return batchRowsMax;
    }

    @Override
    public void begin(ShardWrite write) throws StoreException {
        if (shard != null) {
            throw new IllegalStateException(write + " begins within " + shard + ".");
        }
        PostgresSession open = connected();
        if (careful > 0) {
            try {
                open.checkAtOnce();
            } catch (SQLException e) {
                disconnect();
                throw failure.of(e);
            }
        }
        shard = write;
        staged = 0;
    }

    @Override
    public void write(List<Row> rows) throws StoreException {
        if (shard == null) {
            writeAlone(rows);
        } else {
            writeBatch(shard, rows);
        }
    }

    /** Writes rows in a transaction of their own, without a version. */
    private void writeAlone(List<Row> rows) throws StoreException {
        PostgresSession open = connected();
        try {
            if (rows.isEmpty()) {
                insertProbe(open, null);
                open.rollback();
                return;
            }
            stage(open, rows);
            open.merge(RowVersion.NONE.value(), 1);
            open.commit();
        } catch (SQLException e) {
            if (!SqlFailure.isContent(e)) {
                disconnect();
            }
            throw failure.of(e);
        } finally {
            rollback();
        }
    }

    private void writeBatch(ShardWrite open, List<Row> rows) throws StoreException {
        PostgresSession connection = ofShard(open);
        try {
            connection.beginBatch();
            StoreException refusal = refusal(connection, open, rows);
            if (refusal != null) {
                connection.undoBatch();
                throw refusal;
            }
            if (rows.isEmpty()) {
                connection.undoBatch(); // takes the probe row back
            } else {
                connection.endBatch();
                staged += careful > 0 ? 0 : rows.size();
            }
        } catch (SQLException e) {
            disconnect();
            throw failure.of(e);
        }
    }

    /** Writes a batch; returns the refusal of its content, or null. */
    private @Nullable StoreException refusal(PostgresSession connection, ShardWrite open, List<Row> rows)
            throws SQLException {
        try {
            if (rows.isEmpty()) {
                insertProbe(connection, open.timeMs());
                return null;
            }
            stage(connection, rows);
            if (careful > 0) {
                connection.merge(open.version().value(), 1);
                connection.clear();
            }
            return null;
        } catch (StoreException e) {
            return e;
        } catch (SQLException e) {
            if (SqlFailure.isContent(e)) {
                return failure.of(e);
            }
            throw e;
        }
    }

    /**
     * Inserts the probe row; the caller takes the row back. A refusal of the content, e.g. without a partition for the
     * time, also proves that the database works.
     */
    private void insertProbe(PostgresSession open, @Nullable Long timeMs) throws SQLException {
        try {
            open.insertProbe(probe, timeMs);
        } catch (SQLException e) {
            if (!SqlFailure.isContent(e)) {
                throw e;
            }
        }
    }

    /** Sends rows, and their new series, to the temporary tables. */
    private void stage(PostgresSession open, List<Row> rows) throws SQLException, StoreException {
        Map<UUID, Row> bySeries = new LinkedHashMap<>();
        newRows.clear();
        for (Row row : rows) {
            UUID id = ids.of(row.metric(), row.tags());
            if (bySeries.putIfAbsent(id, row) == null) {
                checkTexts(row);
            }
            newRows.beginRow();
            newRows.addUuid(id);
            newRows.addLong(micros(row));
            newRows.addBoolean(row.isLong());
            if (row.isLong()) {
                newRows.addNull();
                newRows.addLong(row.bits());
            } else {
                newRows.addLong(row.bits());
                newRows.addNull();
            }
        }
        newSeries.clear();
        for (UUID id : open.unknown(bySeries.keySet())) {
            Row row = bySeries.get(id);
            if (row != null) {
                newSeries.beginRow();
                newSeries.addUuid(id);
                newSeries.addText(row.metric());
                newSeries.addJson(json(row.tags()));
            }
        }
        open.send(newSeries);
        open.send(newRows);
    }

    private static long micros(Row row) throws StoreException {
        try {
            return Math.multiplyExact(Math.subtractExact(row.timeMs(), EPOCH_2000_MS), MICROS);
        } catch (ArithmeticException e) {
            throw refused(row, "has a time out of range");
        }
    }

    private static void checkTexts(Row row) throws StoreException {
        boolean isText = isText(row.metric());
        for (Map.Entry<String, String> tag : row.tags().asMap().entrySet()) {
            isText &= isText(tag.getKey()) && isText(tag.getValue());
        }
        if (!isText) {
            throw refused(row, "has a text with the character U+0000 or half a surrogate pair");
        }
    }

    /** Returns whether PostgreSQL can hold a text: valid UTF-16 without U+0000. */
    private static boolean isText(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return false;
            }
            if (Character.isHighSurrogate(c) && (++i == text.length() || !Character.isLowSurrogate(text.charAt(i)))) {
                return false;
            }
        }
        return true;
    }

    private static StoreException refused(Row row, String reason) {
        return new StoreException("A row of metric " + row.metric() + " " + reason + ".", false, null);
    }

    private String json(Tags tags) {
        StringBuilder text = new StringBuilder("{");
        tags.asMap().forEach((name, value) -> {
            text.append(text.length() == 1 ? "\"" : ",\"");
            json.quoteAsString(name, text);
            text.append("\":\"");
            json.quoteAsString(value, text);
            text.append('"');
        });
        return text.append('}').toString();
    }

    @Override
    public void commit(ShardWrite write) throws StoreException {
        shard = null; // also after an exception
        PostgresSession open = ofShard(write);
        try {
            if (staged > 0) {
                open.merge(write.version().value(), pieces());
            }
            open.commit();
            careful = Math.max(0, careful - 1);
        } catch (SQLException e) {
            if (SqlFailure.isContent(e)) {
                careful = CAREFUL_SHARDS;
            }
            disconnect();
            throw failure.of(e);
        }
    }

    private int pieces() {
        return (int) Math.min(PIECES_MAX, 1 + staged / PIECE_ROWS);
    }

    @Override
    public void abort(ShardWrite write) {
        shard = null;
        rollback();
    }

    private void rollback() {
        try {
            if (session != null) {
                session.rollback();
            }
        } catch (SQLException e) {
            disconnect(); // the database rolls back
        }
    }

    @Override
    public List<Row> read(List<Row> written) throws StoreException {
        return stored(written, ANY_VERSION);
    }

    @Override
    public List<Row> superseding(List<Row> written, RowVersion version) throws StoreException {
        return stored(written, version.value());
    }

    private List<Row> stored(List<Row> written, long above) throws StoreException {
        Map<UUID, List<Row>> wanted = new HashMap<>();
        List<Row> found = new ArrayList<>();
        for (Row row : written) {
            wanted.computeIfAbsent(ids.of(row.metric(), row.tags()), id -> new ArrayList<>(1))
                    .add(row);
        }
        List<UUID> all = List.copyOf(wanted.keySet());
        PostgresSession open = connected();
        try {
            for (int from = 0; from < all.size(); from += READ_SERIES) {
                List<UUID> some = all.subList(from, Math.min(all.size(), from + READ_SERIES));
                open.read(
                        some,
                        written.get(0).timeMs(),
                        above,
                        (series, isLong, bits) -> wanted.getOrDefault(series, List.of()).stream()
                                .filter(row -> row.isLong() == isLong)
                                .forEach(row -> found.add(
                                        new Row(row.metric(), row.tags(), row.timeMs(), row.isLong(), bits))));
            }
            return found;
        } catch (SQLException e) {
            disconnect();
            throw failure.of(e);
        } finally {
            rollback();
        }
    }

    private PostgresSession connected() throws StoreException {
        PostgresSession open = session;
        if (open == null) {
            open = PostgresSession.open(access, failure);
            session = open;
        }
        return open;
    }

    /** Returns the connection of the open shard. */
    private PostgresSession ofShard(ShardWrite write) throws StoreException {
        PostgresSession open = session;
        if (open == null) {
            throw new StoreException("The connection to PostgreSQL ended within " + write + ".", true, null);
        }
        return open;
    }

    private void disconnect() {
        PostgresSession ending = session;
        session = null;
        if (ending != null) {
            ending.close();
        }
    }

    @Override
    public void close() {
        shard = null;
        disconnect();
        access.tls().ifPresent(TlsSockets::remove);
    }
}
