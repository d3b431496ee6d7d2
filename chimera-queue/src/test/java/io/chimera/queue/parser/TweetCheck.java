package io.chimera.queue.parser;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Compares the parser's result for a line with the result from a JSON tree. */
final class TweetCheck {
    private TweetCheck() {}

    /** Checks a possibly invalid line: an invalid line yields no tags. */
    static void check(byte[] line) {
        RecordingSink sink = RecordingSink.of(new TweetParser(), line, 1);
        List<String> seen = sink.points.stream()
                .map(point -> point.key().tags().asMap().get("tag"))
                .toList();
        Optional<List<String>> tags = TweetOracle.tags(line);
        if (!seen.equals(tags.orElse(List.of()))) {
            throw new AssertionError(
                    seen + " instead of " + tags + " from " + new String(line, StandardCharsets.UTF_8));
        }
        if (tags.isPresent() && !sink.rejects.isEmpty()) {
            throw new AssertionError("A good line was rejected: " + sink.rejects);
        }
    }
}
