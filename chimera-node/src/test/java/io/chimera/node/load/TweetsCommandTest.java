package io.chimera.node.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.node.Invocation;
import io.chimera.node.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TweetsCommandTest {
    @TempDir
    Path folder;

    private Invocation write(Path file, String... more) {
        String[] arguments = {"gen", "tweets", "--count", "500", "--start", "1409318650332", "--out", file.toString()};
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return Invocation.of(all);
    }

    @Test
    void writesTheTweetsOfItsSeed() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        Path other = folder.resolve("other");

        Invocation gen = write(one);
        write(two);
        write(other, "--seed", "2");

        assertThat(gen.exitCode()).as(gen.err()).isZero();
        assertThat(Files.readAllLines(one)).hasSize(500).allMatch(line -> line.startsWith("{\"created_at\":"));
        assertThat(two).hasSameBinaryContentAs(one);
        assertThat(Files.readString(other)).isNotEqualTo(Files.readString(one));
        JsonNode figures = Json.read("gen tweets", gen.out()).path("figures");
        assertThat(figures.path("tweets_sent").asLong()).isEqualTo(500);
        assertThat(figures.path("bytes_sent").asLong()).isEqualTo(Files.size(one));
        assertThat(figures.path("hashtags").asLong()).isPositive();
    }

    @Test
    void endsLinesAsItIsTold() throws IOException {
        Path file = folder.resolve("crlf");

        write(file, "--crlf");

        assertThat(Files.readString(file).split("\r\n", -1)).hasSize(501);
    }

    @Test
    void saysWhatToDoWhenNobodyListens() {
        Invocation gen = Invocation.of("gen", "tweets", "--count", "1", "--to", "127.0.0.1:1");

        assertThat(gen.exitCode()).isEqualTo(1);
        assertThat(gen.err()).contains("127.0.0.1:1").contains("--to");
    }
}
