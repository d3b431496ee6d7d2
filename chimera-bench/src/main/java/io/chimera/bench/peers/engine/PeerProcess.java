package io.chimera.bench.peers.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.peers.job.ResultTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Process with the main method {@code Peer.main}, controlled through its standard input and output. One thread. */
final class PeerProcess implements AutoCloseable {
    private static final String MARK = "peer: ";
    private static final long END_SECONDS = 60;
    private static final int LOG_LINES = 10;

    private final String name;
    private final Path log;
    private final Path results;
    private final Process process;
    private final BufferedReader output;

    private PeerProcess(String name, Path log, Path results, Process process) {
        this.name = name;
        this.log = log;
        this.results = results;
        this.process = process;
        output = process.inputReader(UTF_8);
    }

    /**
     * Starts a process.
     *
     * @param flags JVM flags, including properties
     */
    static PeerProcess start(Workplace workplace, String name, List<String> flags, String classPath, String main)
            throws IOException {
        Path log = workplace.folder().resolve(name + ".log");
        Path results = workplace.folder().resolve(name + ".results");
        List<String> command = new ArrayList<>();
        command.add(Workplace.java());
        command.addAll(flags);
        command.add("-Dpeer.input=" + workplace.input());
        command.add("-Dpeer.line-length=" + workplace.lineLength());
        command.add("-Dpeer.output=" + results);
        command.addAll(List.of("-cp", classPath, main));
        Process process = new ProcessBuilder(command)
                .directory(workplace.folder().toFile())
                .redirectError(log.toFile())
                .start();
        return new PeerProcess(name, log, results, process);
    }

    /** Waits until the process is ready for orders. */
    void awaitReady() throws IOException {
        await("ready");
    }

    /** Orders a pass without waiting. */
    void go() throws IOException {
        OutputStream orders = process.getOutputStream();
        orders.write("go\n".getBytes(UTF_8));
        orders.flush();
    }

    /** Waits for the end of the pass. */
    void awaitDone() throws IOException {
        await("done");
    }

    private void await(String what) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(MARK + what)) {
                return;
            }
        }
        throw new IOException(name + " ended before it was " + what + ". The end of its log " + log + ":\n  "
                + String.join("\n  ", logEnd()));
    }

    private List<String> logEnd() throws IOException {
        List<String> lines = Files.readAllLines(log, UTF_8);
        return lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size());
    }

    long pid() {
        return process.pid();
    }

    /** Ends the process; returns its results. */
    ResultTable finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        output.transferTo(Writer.nullWriter()); // until the process ends
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException(name + " does not end; see its log " + log + ".");
        }
        return ResultTable.read(results);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
