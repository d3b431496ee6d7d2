package io.chimera.node.archive.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class WriterStreamTest {
    @Test
    void aCharacterOnTheEdgeOfTwoPartsStaysWhole() throws IOException {
        String text = "tür → 😀 end";
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int edge = 0; edge <= bytes.length; edge++) {
            StringWriter printed = new StringWriter();
            try (WriterStream stream = new WriterStream(new PrintWriter(printed))) {
                stream.write(bytes, 0, edge);
                stream.write(bytes, edge, bytes.length - edge);
            }
            assertThat(printed.toString()).isEqualTo(text);
        }
    }

    @Test
    void whatCannotBePrintedIsAnError() throws IOException {
        WriterStream stream = new WriterStream(new PrintWriter(new Full()));
        stream.write('x');
        assertThatThrownBy(stream::flush).isInstanceOf(IOException.class);
    }

    private static final class Full extends Writer {
        @Override
        public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
