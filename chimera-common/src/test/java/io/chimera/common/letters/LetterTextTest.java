package io.chimera.common.letters;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Texts of rejected data. */
final class LetterTextTest {
    private static String written(byte[] bytes, int offset, int length) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator object = new JsonFactory().createGenerator(text)) {
            object.writeStartObject();
            LetterText.write(object, bytes, offset, length);
            object.writeEndObject();
        }
        return text.toString();
    }

    @Test
    void textIsReadableAndOtherBytesAreBase64() throws IOException {
        assertThat(written("xgrün\nx".getBytes(StandardCharsets.UTF_8), 1, 6)).isEqualTo("{\"text\":\"grün\\n\"}");
        assertThat(written(new byte[] {0, -1, 1}, 1, 2)).isEqualTo("{\"base64\":\"/wE=\"}");
    }

    @Test
    void aBeginningEndsBetweenTwoCharacters() {
        byte[] text = "aü€😀z".getBytes(StandardCharsets.UTF_8);

        assertThat(LetterText.beginning(text, 0, text.length, 2)).isEqualTo(1);
        assertThat(LetterText.beginning(text, 0, text.length, 3)).isEqualTo(3);
        assertThat(LetterText.beginning(text, 0, text.length, 5)).isEqualTo(3);
        assertThat(LetterText.beginning(text, 0, text.length, 9)).isEqualTo(6);
        assertThat(LetterText.beginning(text, 0, text.length, 100)).isEqualTo(text.length);
    }

    @Test
    void aBeginningOfOtherBytesHasTheMaximumLength() {
        byte[] bytes = new byte[20];
        Arrays.fill(bytes, (byte) 0x80);

        assertThat(LetterText.beginning(bytes, 0, bytes.length, 10)).isEqualTo(10);
    }
}
