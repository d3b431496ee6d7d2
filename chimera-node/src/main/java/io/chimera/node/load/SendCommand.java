package io.chimera.node.load;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.TlsConfig;
import io.chimera.common.config.TlsConfig.ClientAuth;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.security.Tls;
import io.chimera.node.Json;
import io.chimera.node.option.DurationConverter;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends the lines of a file. */
@Command(
        name = "send",
        description = "Send line protocol from a file or standard input; report refused lines.",
        mixinStandardHelpOptions = true)
public final class SendCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "Input file. Default: standard input.")
    private Path file;

    @Option(
            names = "--to",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8086/write",
            description = "Target URL. Default: ${DEFAULT-VALUE}.")
    private String to;

    @Option(
            names = "--precision",
            defaultValue = "ns",
            description = "Unit of the time stamps: ns, us, ms or s. Default: ${DEFAULT-VALUE}.")
    private String precision;

    @Option(
            names = "--patience",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "Retry timeout while the node is overloaded or unreachable. Default: ${DEFAULT-VALUE}.")
    private Duration patience;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "Certificates of the authorities of the input. Default: those of the Java runtime.")
    private Path authorities;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    /** Creates the command for picocli. */
    public SendCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!precision.matches("ns|us|ms|s")) {
            throw new CommandLine.ParameterException(spec.commandLine(), "--precision must be ns, us, ms or s.");
        }
        AtomicLong retries = new AtomicLong();
        long lines = 0;
        long refused = 0;
        try (InputStream in = open();
                HttpTarget target = new HttpTarget(url(), "text/plain; charset=utf-8", patience, retries, tls())) {
            LineBatches batches = new LineBatches(in);
            for (byte[] batch = batches.next(); batch.length > 0; batch = batches.next()) {
                long before = refused;
                refused += target.send(batch);
                if (refused > before) {
                    tellRefusal(target.lastRefusal(), lines);
                }
                lines = batches.linesRead();
            }
        } catch (NoSuchFileException e) {
            throw new ChimeraException(Category.ERROR, "There is no file " + file + ".", e);
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Sent " + lines + " lines, then failed: " + e + ". Check that " + to
                            + " is an input of a running queue node.",
                    e);
        }
        report(lines, refused, retries.get());
        return refused == 0 ? 0 : 1;
    }

    private Optional<SSLContext> tls() {
        if (authorities == null) {
            return Optional.empty();
        }
        TlsConfig files = Sections.of(TlsConfig.class, "ca", authorities, "client_auth", ClientAuth.NONE);
        return Optional.of(Tls.open("--cacert", files, false, new SystemClock()).clientContext());
    }

    private void report(long lines, long refused, long retries) {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("lines_sent", lines);
            figures.put("lines_refused", refused);
            figures.put("retries", retries);
            out.println(Json.line(Map.of("name", "send", "figures", figures)));
        } else {
            out.println("Sent " + lines + " lines to " + to + "; " + refused + " refused.");
        }
    }

    /** Prints a refusal with its line offset, because the node counts lines from the begin of the request. */
    private void tellRefusal(String answer, long linesBefore) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(linesBefore == 0 ? answer.strip() : "After line " + linesBefore + ": " + answer.strip());
    }

    private InputStream open() throws IOException {
        return file == null ? System.in : Files.newInputStream(file);
    }

    private URI url() {
        try {
            return URI.create(to + (to.contains("?") ? "&" : "?") + "precision=" + precision);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "'" + to + "' is no URL; expected e.g. http://127.0.0.1:8086/write.", e);
        }
    }

    /** Splits a stream into batches of whole lines. A line over 64 KiB is sent too, so that the node can refuse it. */
    static final class LineBatches {
        /** Size of a batch, far below the size limit of a request body. */
        private static final int BATCH_BYTES = 512 << 10;

        private final InputStream in;
        private byte[] rest = new byte[0];
        private long lines;

        LineBatches(InputStream in) {
            this.in = in;
        }

        /** Returns the next batch; empty at the end. */
        byte[] next() throws IOException {
            byte[] read = in.readNBytes(BATCH_BYTES - rest.length);
            byte[] all = new byte[rest.length + read.length];
            System.arraycopy(rest, 0, all, 0, rest.length);
            System.arraycopy(read, 0, all, rest.length, read.length);
            int end = all.length;
            if (all.length == BATCH_BYTES) {
                while (end > 0 && all[end - 1] != '\n') {
                    end--;
                }
            }
            if (end == 0 && all.length > 0) {
                throw new IOException("line " + (lines + 1)
                        + " is longer than 512 KiB; a data point may have at most 64 KiB of text");
            }
            rest = Arrays.copyOfRange(all, end, all.length);
            byte[] batch = Arrays.copyOf(all, end);
            lines += new String(batch, StandardCharsets.ISO_8859_1).lines().count();
            return batch;
        }

        long linesRead() {
            return lines;
        }
    }
}
