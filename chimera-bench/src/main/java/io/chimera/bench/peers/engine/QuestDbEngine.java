package io.chimera.bench.peers.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.load.PointSeries;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.bench.peers.job.ResultTable;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * QuestDB, a store that reads line protocol over TCP: a pass ends when all rows are visible. QuestDB stores points
 * without aggregating them on arrival; the results are queried once, after all measurements.
 */
public final class QuestDbEngine implements Engine {
    private static final long START_SECONDS = 90;
    private static final long PATIENCE_S = 300;
    private static final long POLL_MS = 100;
    private static final int OK = 200;

    private final Workplace workplace;
    private final PointShape shape;
    private final PointSeries series;
    private final FreePorts ports = new FreePorts(3);
    private final String http = ports.next();
    private final String lines = ports.next();
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Process server;
    private PeerProcess feeder;
    private int passes;

    /** Creates an engine without starting the server. */
    public QuestDbEngine(Workplace workplace, PointShape shape) {
        this.workplace = workplace;
        this.shape = shape;
        series = new PointSeries(shape, PointText.SERIES, PointText.SEED);
    }

    @Override
    public void start() throws IOException, InterruptedException {
        PeerBuild.classPath(workplace.home(), "questdb");
        Path folder = workplace.folder().resolve("questdb");
        Files.createDirectories(folder.resolve("conf"));
        Files.writeString(folder.resolve("conf/server.conf"), """
                http.net.bind.to=%s
                line.tcp.net.bind.to=%s
                http.min.enabled=false
                pg.enabled=false
                telemetry.enabled=false
                """.formatted(http, lines));
        server = new ProcessBuilder(
                        Workplace.java(),
                        "-Xmx1g",
                        "-XX:+UseParallelGC",
                        "-p",
                        workplace.peerFolder("questdb").resolve("target/lib").toString(),
                        "-m",
                        "io.questdb/io.questdb.ServerMain",
                        "-d",
                        folder.toString())
                .directory(workplace.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(workplace.folder().resolve("questdb.log").toFile())
                .start();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (query("select 1").isEmpty()) {
            if (!server.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("QuestDB does not start; see questdb.log in " + workplace.folder() + ".");
            }
            Thread.sleep(POLL_MS);
        }
        feeder = Feeders.tcp(workplace, lines);
    }

    /** Returns the answer as CSV lines without the header; empty without an answer or without the table. */
    private List<String> query(String sql) throws InterruptedException {
        URI uri = URI.create("http://" + http + "/exp?query=" + URLEncoder.encode(sql, UTF_8));
        try {
            var answer = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            return answer.statusCode() == OK ? answer.body().lines().skip(1).toList() : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public void pass() throws IOException, InterruptedException {
        passes++;
        feeder.go();
        feeder.awaitDone();
        String wanted = Long.toString((long) passes * workplace.points());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!query("select count() from '" + shape.metric() + "'").equals(List.of(wanted))) {
            if (System.nanoTime() > deadline) {
                throw new IOException("QuestDB does not show " + wanted + " points after " + PATIENCE_S
                        + " s; see questdb.log in " + workplace.folder() + ".");
            }
            Thread.sleep(POLL_MS);
        }
    }

    @Override
    public List<Long> pids() {
        Process running = server;
        return running == null ? List.of() : List.of(running.pid());
    }

    @Override
    public List<Long> feederPids() {
        return feeder == null ? List.of() : List.of(feeder.pid());
    }

    @Override
    public ResultTable finish() throws IOException, InterruptedException {
        Map<String, String> keys = new HashMap<>();
        for (int i = 0; i < series.count(); i++) {
            keys.put(shape.distinctTagOf(i), series.key(i));
        }
        ResultTable table = new ResultTable();
        for (String field : series.fields()) {
            String sql = ("select %1$s, count(%2$s), sum(%2$s), min(%2$s), max(%2$s), avg(%2$s), var_pop(%2$s)"
                            + " from '%3$s' group by %1$s")
                    .formatted(shape.distinctTag(), field, shape.metric());
            for (String row : query(sql)) {
                String[] columns = row.replace("\"", "").split(",", -1);
                List<Double> numbers = new ArrayList<>();
                for (int i = 1; i < columns.length; i++) {
                    numbers.add(Double.parseDouble(columns[i]));
                }
                table.total(keys.getOrDefault(columns[0], columns[0]), field)
                        .add(
                                numbers.get(0).longValue(),
                                numbers.get(1),
                                numbers.get(2),
                                numbers.get(3),
                                numbers.get(4),
                                numbers.get(5));
            }
        }
        return table;
    }

    @Override
    public void close() {
        if (feeder != null) {
            feeder.close();
        }
        if (server != null) {
            server.destroyForcibly();
        }
    }
}
