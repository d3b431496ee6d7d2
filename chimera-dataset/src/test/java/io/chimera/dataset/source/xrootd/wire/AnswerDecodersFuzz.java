package io.chimera.dataset.source.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arbitrary bodies are decoded, or refused as an answer outside the protocol. */
final class AnswerDecodersFuzz {
    private static final List<String> WORDS = List.of(
            ".\n0 0 0 0",
            "\n",
            " ",
            "\0",
            "a",
            "..",
            "/",
            "0",
            "1",
            "-1",
            "9223372036854775808",
            "adler32",
            "&P=",
            "gsi",
            "Sr",
            "Mw",
            "[::1]",
            "[::ffff:1.2.3.4]",
            ":",
            "1094",
            "?",
            "&",
            "=",
            "0123456789abcdef",
            "1 2 3 4",
            "é",
            "*");

    @FunctionalInterface
    private interface Decoder {
        Object decode(ByteBuffer body) throws IOException;
    }

    private static final List<Decoder> DECODERS = List.of(
            ProtocolAnswer::decode,
            LoginAnswer::decode,
            OpenAnswer::decode,
            RedirectAnswer::decode,
            PauseAnswer::decode,
            ServerError::decode,
            ChecksumAnswer::decode,
            ServerLocation::decodeAll,
            FolderEntry::decodeAll,
            body -> FileStat.parse(AnswerText.decode(body)));

    @FuzzTest(maxDuration = "1m")
    void anyBytes(byte[] bytes) {
        check(bytes);
    }

    @Test
    void wordsInAnyOrder() {
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(12); words > 0; words--) {
                text.append(WORDS.get(random.nextInt(WORDS.size())));
            }
            byte[] words = text.toString().getBytes(StandardCharsets.UTF_8);
            check(words);
            check(ByteBuffer.allocate(4 + words.length)
                    .putInt(random.nextInt(70_000) - 2)
                    .put(words)
                    .array());
        }
    }

    private static void check(byte[] bytes) {
        for (Decoder decoder : DECODERS) {
            try {
                assertThat(decoder.decode(ByteBuffer.wrap(bytes))).isNotNull();
            } catch (AnswerException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            } catch (IOException e) {
                throw new AssertionError("only the decoder's own exception is expected", e);
            }
        }
        if (bytes.length >= AnswerHeader.BYTES) {
            try {
                assertThat(AnswerHeader.decode(ByteBuffer.wrap(bytes)).length()).isNotNegative();
            } catch (AnswerException e) {
                assertThat(e).hasMessageMatching("(status|length).*");
            }
        }
    }
}
