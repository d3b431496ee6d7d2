package io.chimera.bench.peers.duckdb;

import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * DuckDB in the Parquet part of {@code ./chimera bench datasets}. {@code write FILE ROWS} writes a file with a row per
 * millisecond; {@code aggregate FROM RESULTS EXTENSION} aggregates the rows per minute and region on one thread, writes
 * the totals, and prints the seconds of the query. The extension reads over HTTP, and is empty for a local file.
 */
public final class DuckDbPeer {
    private static final String ROWS = "SELECT make_timestamp(1700000000000000 + i * 1000) AS \"at\","
            + " 'region-' || (i %% 8) AS region, CAST(i * 7919 %% 100003 AS DOUBLE) / 7 AS value"
            + " FROM range(%d) AS numbers(i)";
    private static final String AGGREGATES =
            "SELECT date_trunc('minute', \"at\") AS start, region, count(value), sum(value),"
                    + " min(value), max(value), avg(value), var_pop(value) FROM read_parquet('%s') GROUP BY ALL ORDER BY ALL";
    private static final double NS_PER_S = 1e9;

    private DuckDbPeer() {}

    /** Runs the command of the arguments. */
    public static void main(String[] arguments) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            if (arguments[0].equals("write")) {
                String rows = String.format(ROWS, Long.parseLong(arguments[2]));
                statement.execute("COPY (" + rows + ") TO '" + arguments[1] + "' (FORMAT parquet)");
            } else {
                aggregate(statement, arguments[1], Path.of(arguments[2]), arguments[3]);
            }
        }
    }

    private static void aggregate(Statement statement, String from, Path results, String extension)
            throws SQLException, IOException {
        if (!extension.isEmpty()) {
            statement.execute("LOAD '" + extension + "'");
        }
        statement.execute("SET threads = 1");
        ResultTable table = new ResultTable();
        long startNs = System.nanoTime();
        try (ResultSet rows = statement.executeQuery(String.format(AGGREGATES, from))) {
            while (rows.next()) {
                int column = 2;
                String key = "load,region=" + rows.getString(column++);
                table.total(key, "value")
                        .add(
                                rows.getLong(column++),
                                rows.getDouble(column++),
                                rows.getDouble(column++),
                                rows.getDouble(column++),
                                rows.getDouble(column++),
                                rows.getDouble(column));
            }
        }
        double seconds = (System.nanoTime() - startNs) / NS_PER_S;
        table.write(results);
        System.out.println(seconds);
    }
}
