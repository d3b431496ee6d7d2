package io.chimera.node.load;

import io.chimera.apps.trending.TweetText;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends generated tweets with known hashtags. */
@Command(
        name = "tweets",
        description = {
            "Send generated tweets to an input of type tweets, or write them to a file.",
            "The same seed gives the same tweets, one per line, with hashtags in eight of a hundred. The last line on"
                    + " standard output reports the number of hashtags as JSON."
        },
        mixinStandardHelpOptions = true)
final class TweetsCommand implements Callable<Integer> {
    private static final int BATCH_BYTES = 256 << 10;
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Option(names = "--count", defaultValue = "10000", description = "Number of tweets. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = "--rate", defaultValue = "1000", description = "Tweets per second. Default: ${DEFAULT-VALUE}.")
    private long rate;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the tweets. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--start",
            paramLabel = "MS",
            description = "Time of the first tweet, milliseconds since 1970. Default: now.")
    private Long startMs;

    @Option(names = "--crlf", description = "End lines with CR LF, as Twitter's streams do.")
    private boolean crlf;

    @Option(
            names = "--to",
            paramLabel = "HOST:PORT",
            description = "TCP address of an input of type tweets. Default: ${DEFAULT-VALUE}.",
            defaultValue = "127.0.0.1:8095")
    private String to;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            description = "Write to a file at full speed instead; - is standard output.")
    private String out;

    private final Map<String, Long> hashtags = new HashMap<>();

    TweetsCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (count < 1 || rate < 1 || rate > 100_000_000) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "--count must be at least 1, and --rate 1 to 100 million tweets per second.");
        }
        boolean toStandardOutput = "-".equals(out);
        long bytes;
        try (LoadTarget target = open(toStandardOutput)) {
            bytes = send(target);
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("tweets_sent", count);
        figures.put("bytes_sent", bytes);
        figures.put(
                "hashtags",
                hashtags.values().stream().mapToLong(Long::longValue).sum());
        figures.put("hashtags_distinct", hashtags.size());
        // keeps the report out of the tweets on standard output
        (toStandardOutput ? spec.commandLine().getErr() : spec.commandLine().getOut())
                .println(Json.line(Map.of("name", "gen tweets", "figures", figures)));
        return 0;
    }

    private long send(LoadTarget target) throws IOException, InterruptedException {
        TweetText tweets = new TweetText(seed, rate, startMs == null ? System.currentTimeMillis() : startMs);
        long beginNs = System.nanoTime();
        long bytes = 0;
        StringBuilder text = new StringBuilder();
        for (long tweet = 0; tweet < count; tweet++) {
            long aheadNs = out == null ? (long) ((double) tweet / rate * NS_PER_S) - (System.nanoTime() - beginNs) : 0;
            if (aheadNs > 0 || text.length() > BATCH_BYTES) {
                bytes += flush(target, text);
            }
            if (aheadNs > 0) {
                TimeUnit.NANOSECONDS.sleep(aheadNs);
            }
            tweets.append(tweet, text);
            text.append(crlf ? "\r\n" : "\n");
            tweets.counted(tweet).forEach(tag -> hashtags.merge(tag, 1L, Long::sum));
        }
        return bytes + flush(target, text);
    }

    private static long flush(LoadTarget target, StringBuilder text) throws IOException, InterruptedException {
        byte[] batch = text.toString().getBytes(StandardCharsets.UTF_8);
        text.setLength(0);
        if (batch.length > 0) {
            target.send(batch);
        }
        return batch.length;
    }

    private LoadTarget open(boolean toStandardOutput) throws IOException {
        if (out != null) {
            OutputStream file = toStandardOutput ? System.out : Files.newOutputStream(Path.of(out));
            return new StreamTarget(new BufferedOutputStream(file));
        }
        Endpoint address = Endpoint.parse(to);
        try {
            return new SocketTarget(address, Duration.ofSeconds(30));
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Cannot connect to " + address + " (" + e.getMessage()
                            + "). Name an input of type tweets of a running"
                            + " queue node with --to.",
                    e);
        }
    }
}
