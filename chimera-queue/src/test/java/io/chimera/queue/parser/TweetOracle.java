package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Expected result of a line, computed from a complete JSON tree. */
final class TweetOracle {
    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(64)
                            .maxNumberLength(1 << 16)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private TweetOracle() {}

    /** The relevant tags; empty for an invalid tweet. */
    static Optional<List<String>> tags(byte[] line) {
        JsonNode tweet;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(line))
                    .toString();
            tweet = MAPPER.readTree(text);
        } catch (IOException e) {
            return Optional.empty();
        }
        if (tweet == null || !tweet.isObject() || isBadTime(tweet)) {
            return Optional.empty();
        }
        JsonNode retweeted = tweet.path("retweeted_status");
        JsonNode status = retweeted.isObject() ? retweeted : tweet;
        JsonNode extended = status.path("extended_tweet").path("entities");
        List<String> tags = new ArrayList<>();
        for (JsonNode hashtag : array((extended.isObject() ? extended : status.path("entities")).path("hashtags"))) {
            JsonNode text = hashtag.path("text");
            if (text.isTextual() && !text.textValue().isEmpty()) {
                tags.add(counted(text.textValue()));
            }
        }
        return Optional.of(tags);
    }

    /** An object would also be iterable. */
    private static Iterable<JsonNode> array(JsonNode node) {
        return node.isArray() ? node : List.of();
    }

    private static boolean isBadTime(JsonNode tweet) {
        JsonNode time = tweet.path("timestamp_ms");
        return !time.isMissingNode() && !time.isNull() && !time.asText().matches("[0-9]{1,13}");
    }

    /** An unpaired surrogate becomes a replacement character. */
    private static String counted(String text) {
        StringBuilder lower = new StringBuilder();
        text.codePoints()
                .map(c -> c >= 0xD800 && c < 0xE000 ? 0xFFFD : Character.toLowerCase(c))
                .forEach(lower::appendCodePoint);
        return new String(lower.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
