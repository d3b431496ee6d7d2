package io.chimera.processor.store.postgresql;

import java.util.List;

/**
 * SQL of the tables. Rows are keyed by series, time and type; a row with a higher version stays. The temporary tables
 * belong to a connection and are empty outside of a transaction.
 *
 * @param schema schema of the tables
 */
record PostgresTables(String schema) {
    /** Keeps two stores from creating the tables at the same time: "chimera" in hexadecimal ASCII. */
    private static final long CREATE_LOCK = 0x6368_696D_6572_61L;

    static final String COPY_SERIES = "copy pg_temp.chimera_new_series (id, metric, tags) from stdin (format binary)";
    static final String COPY_ROWS =
            "copy pg_temp.chimera_new_rows (series, time, is_long, value, value_long) from stdin (format binary)";

    /** Empties the temporary tables within a transaction. */
    static final String CLEAR = "delete from pg_temp.chimera_new_series; delete from pg_temp.chimera_new_rows";

    /** Returns the schema as an identifier: the name may be a word of SQL, such as user. */
    private String quoted() {
        return '"' + schema + '"';
    }

    String series() {
        return quoted() + ".chimera_series";
    }

    String rows() {
        return quoted() + ".chimera_rows";
    }

    /** Returns the commands that create the tables, and a view for readers. */
    List<String> create() {
        return List.of(
                "create table " + series() + " (\n"
                        + "  id uuid primary key,\n"
                        + "  metric text not null,\n"
                        + "  tags jsonb not null\n"
                        + ")",
                "create table " + rows() + " (\n"
                        + "  series uuid not null,\n"
                        + "  time timestamptz not null,\n"
                        + "  is_long boolean not null,\n"
                        + "  value double precision,\n"
                        + "  value_long bigint,\n"
                        + "  version bigint not null,\n"
                        + "  primary key (series, time, is_long)\n"
                        + ")",
                "create view " + quoted() + ".chimera_points as\n"
                        + "  select s.metric, s.tags, r.time, coalesce(r.value, r.value_long) as value, r.is_long\n"
                        + "  from " + rows() + " r join " + series() + " s on s.id = r.series");
    }

    /**
     * Returns a query for whether the tables are missing. A look-up by name would not see tables made by another
     * connection since the begin of the transaction.
     */
    String areMissing() {
        return "select count(*) < 2 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
                + " where n.nspname = '" + schema + "' and c.relname in ('chimera_series', 'chimera_rows')";
    }

    static String lockForCreation() {
        return "select pg_advisory_xact_lock(" + CREATE_LOCK + ")";
    }

    static List<String> createTemporary() {
        return List.of(
                "create temporary table chimera_new_series (id uuid, metric text, tags jsonb) on commit delete rows",
                "create temporary table chimera_new_rows (series uuid, time timestamptz, is_long boolean,"
                        + " value double precision, value_long bigint) on commit delete rows");
    }

    /** Returns a query for the series of an array without a row in the table. */
    String unknownSeries() {
        return "select wanted.id from unnest(?::uuid[]) as wanted (id) where not exists (select from " + series()
                + " known where known.id = wanted.id)";
    }

    /** Returns a command for the new series between two ids. Sorted, so that two processors cannot block each other. */
    String insertSeries() {
        return "insert into " + series() + " (id, metric, tags) select id, metric, tags from pg_temp.chimera_new_series"
                + " where id >= ?::uuid and id <= ?::uuid order by id on conflict do nothing";
    }

    /**
     * Returns a command for the new rows between two series. An equal row is not written again, because each written
     * row costs an old version of the row in the table.
     */
    String upsertRows() {
        return "insert into " + rows() + " as old (series, time, is_long, value, value_long, version)"
                + " select series, time, is_long, value, value_long, ?::bigint from pg_temp.chimera_new_rows"
                + " where series >= ?::uuid and series <= ?::uuid order by series, time, is_long"
                + " on conflict (series, time, is_long) do update set value = excluded.value,"
                + " value_long = excluded.value_long, version = excluded.version"
                + " where old.version <= excluded.version and (old.value, old.value_long, old.version)"
                + " is distinct from (excluded.value, excluded.value_long, excluded.version)";
    }

    /** Returns a command that inserts a row in the same way as the rows of a shard; to be rolled back. */
    String insertProbe() {
        return "with probe as (insert into " + series() + " (id, metric, tags) values (?::uuid, 'chimera.probe',"
                + " '{\"chimera\": \"probe\"}') on conflict do nothing)"
                + " insert into " + rows() + " (series, time, is_long, value, value_long, version)"
                + " values (?::uuid, coalesce(?::timestamptz, now()), true, null, 1, 0)"
                + " on conflict (series, time, is_long) do nothing";
    }

    /** Returns a query for the stored rows of an array of series at a time, above a version. */
    String read() {
        return "select series, is_long, value, value_long from " + rows()
                + " where series = any (?::uuid[]) and time = ?::timestamptz and version > ?";
    }
}
