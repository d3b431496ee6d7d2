package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SendCommandTest {
    private final FakeInput input = new FakeInput();

    @TempDir
    Path folder;

    @AfterEach
    void close() {
        input.close();
    }

    @Test
    void sendsAFile() throws IOException {
        Invocation send = send("cpu v=1\ncpu v=2\ncpu v=3", "--json");

        assertThat(send.exitCode()).isZero();
        assertThat(input.taken()).containsExactly("cpu v=1\ncpu v=2\ncpu v=3");
        assertThat(Json.read("send", send.out()).at("/figures/lines_sent").asLong())
                .isEqualTo(3);
    }

    @Test
    void tellsWhatTheNodeRefused() throws IOException {
        input.answer(400, null, "{\"error\":\"partial write: line 2: missing fields dropped=1\"}\n");

        Invocation send = send("cpu v=1\ncpu\n");

        assertThat(send.exitCode()).isEqualTo(1);
        assertThat(send.err()).contains("line 2: missing fields");
        assertThat(send.out()).contains("Sent 2 lines").contains("1 refused.");
    }

    @Test
    void tellsThatThereIsNoFileOrNobodyThere() {
        Invocation noFile = Invocation.of("send", folder.resolve("gone").toString(), "--to", input.url());
        assertThat(noFile.exitCode()).isEqualTo(1);
        assertThat(noFile.err()).startsWith("There is no file ");

        input.close();
        Invocation nobody = Invocation.of(
                "send", "--to", input.url(), "--patience", "100ms", existing().toString());
        assertThat(nobody.exitCode()).isEqualTo(1);
        assertThat(nobody.err()).contains("Check that " + input.url() + " is an input of a running queue node.");
    }

    @Test
    void cutsALongStreamBetweenLines() throws IOException {
        String line = "cpu,host=a v=1 1700000000000000000\n";
        String text = line.repeat(40_000);
        var batches = new SendCommand.LineBatches(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        StringBuilder all = new StringBuilder();
        for (byte[] batch = batches.next(); batch.length > 0; batch = batches.next()) {
            String piece = new String(batch, StandardCharsets.UTF_8);
            assertThat(piece).endsWith("\n").hasSizeLessThanOrEqualTo(512 << 10);
            all.append(piece);
        }

        assertThat(all).hasToString(text);
        assertThat(batches.linesRead()).isEqualTo(40_000);
    }

    @Test
    void refusesALineWithoutEnd() {
        var batches = new SendCommand.LineBatches(new ByteArrayInputStream(new byte[600 << 10]));

        assertThatThrownBy(batches::next).hasMessageContaining("line 1 is longer than 512 KiB");
    }

    private Path existing() {
        try {
            return Files.writeString(folder.resolve("some.lp"), "cpu v=1\n");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Invocation send(String text, String... more) throws IOException {
        Path file = Files.writeString(folder.resolve("lines.lp"), text);
        String[] arguments = new String[4 + more.length];
        arguments[0] = "send";
        arguments[1] = file.toString();
        arguments[2] = "--to";
        arguments[3] = input.url();
        System.arraycopy(more, 0, arguments, 4, more.length);
        return Invocation.of(arguments);
    }
}
