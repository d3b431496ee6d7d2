package io.chimera.bench.datasets.process;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.peers.engine.PeerBuild;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** DuckDB in a process of its own: writes a Parquet file, and aggregates its rows on one core. One thread. */
public final class DuckDb {
    private static final String PEER = "duckdb";
    private static final String MAIN = "io.chimera.bench.peers.duckdb.DuckDbPeer";

    /**
     * Extension for reads over HTTP; {@code scripts/setup --bench} installs the extension. The folder has the version
     * of DuckDB, because DuckDB refuses an extension of another version.
     */
    private static final String EXTENSION = "httpfs-%s/httpfs.duckdb_extension";

    private static final Pattern LIBRARY = Pattern.compile("duckdb_jdbc-(.+)\\.jar");

    private final BenchSite site;
    private final String classPath;
    private final Path extension;
    private final Path results;

    private DuckDb(BenchSite site, String classPath, Path extension) {
        this.site = site;
        this.classPath = classPath;
        this.extension = extension;
        results = site.folder().resolve("duckdb.results");
    }

    /**
     * Builds the peer if necessary.
     *
     * @throws IOException when the peer cannot be built
     */
    public static DuckDb build(BenchSite site) throws IOException, InterruptedException {
        String classPath = PeerBuild.classPath(site.home(), PEER);
        return new DuckDb(site, classPath, extension(PeerBuild.folder(site.home(), PEER)));
    }

    /** Returns the file of the extension for the library of a built peer, which may not exist. */
    static Path extension(Path peer) throws IOException {
        Path libraries = peer.resolve("target/lib");
        try (Stream<Path> files = Files.list(libraries)) {
            return files.map(file -> LIBRARY.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(found -> peer.resolve(EXTENSION.formatted(found.group(1))))
                    .findFirst()
                    .orElseThrow(() -> new IOException(libraries + " has no library of DuckDB; delete " + peer
                            + "/target, and run the command again"));
        }
    }

    /** Returns whether rows can be read over HTTP. */
    public boolean readsHttp() {
        return Files.isRegularFile(extension);
    }

    /**
     * Writes a file with rows of {@link JobText#COLUMNS}, a row per millisecond.
     *
     * @param rows number of rows
     */
    public void write(Path file, long rows) throws IOException, InterruptedException {
        run(List.of(), "write", file.toString(), Long.toString(rows));
    }

    /**
     * Aggregates the rows of a file as a job of {@link JobText.EventKind#ROWS} does.
     *
     * @param core the only core
     * @param from URL, or path without {@link #readsHttp}
     * @return seconds of the query, without the start of the process
     */
    public double aggregate(int core, String from) throws IOException, InterruptedException {
        String library = readsHttp() ? extension.toString() : "";
        String said = run(ProgramRun.onCore(core, List.of()), "aggregate", from, results.toString(), library);
        try {
            return Double.parseDouble(said);
        } catch (NumberFormatException e) {
            throw new IOException("DuckDB printed no time: " + said, e);
        }
    }

    /** Returns the results of the last aggregation. */
    public ResultTable results() throws IOException {
        return ResultTable.read(results);
    }

    private String run(List<String> prefix, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", classPath, MAIN));
        command.addAll(List.of(arguments));
        Path log = site.folder().resolve("duckdb.log");
        try (DeadlineProcess process = DeadlineProcess.start(command, site.folder(), log)) {
            process.succeed(DeadlineProcess.LIMIT);
            return process.lastLine();
        }
    }
}
