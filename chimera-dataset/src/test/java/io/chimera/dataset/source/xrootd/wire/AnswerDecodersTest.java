package io.chimera.dataset.source.xrootd.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.source.Checksum;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of answers. */
final class AnswerDecodersTest {
    private static ByteBuffer text(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }

    private static ByteBuffer numbered(int number, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(4 + bytes.length).putInt(number).put(bytes).flip();
    }

    @ParameterizedTest
    @CsvSource({
        "host, 1094, host:1094",
        "HOST.example:2, 1094, host.example:2",
        "[2001:db8::1], 7, [2001:db8::1]:7",
        "[2001:db8::1]:9, 7, [2001:db8::1]:9",
        "[::127.0.0.1]:9, 7, 127.0.0.1:9",
        "[::ffff:10.0.0.1]:9, 7, 10.0.0.1:9"
    })
    void parsesAddresses(String text, int port, String address) {
        assertThat(ServerAddress.parse(text, port)).hasToString(address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "a:0", "a:65536", "a:x", "a b", "a/b", "[::1", "[::1]x", "[a]", "a@b"})
    void refusesOtherAddresses(String text) {
        assertThatThrownBy(() -> ServerAddress.parse(text, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void decodesRedirects() throws Exception {
        assertThat(RedirectAnswer.decode(numbered(1094, "a.b")))
                .isEqualTo(new RedirectAnswer(new ServerAddress("a.b", 1094), ""));
        assertThat(RedirectAnswer.decode(numbered(0, "a.b:8?x=1&y=2?token\0")))
                .isEqualTo(new RedirectAnswer(new ServerAddress("a.b", 8), "x=1&y=2"));
        assertThat(RedirectAnswer.decode(numbered(1, "a?authz=secret")).toString())
                .doesNotContain("secret");
        assertThatThrownBy(() -> RedirectAnswer.decode(numbered(-1, "root://a//b")))
                .isInstanceOf(AnswerException.class);
        assertThatThrownBy(() -> RedirectAnswer.decode(numbered(1, ""))).isInstanceOf(AnswerException.class);
    }

    @Test
    void decodesFolders() throws Exception {
        assertThat(FolderEntry.decodeAll(text("a\nb c\n..\n\0")))
                .containsExactly(new FolderEntry("a", null), new FolderEntry("b c", null));
        assertThat(FolderEntry.decodeAll(text(".\n0 0 0 0\na\n1 2 16 3 4 5 0644 u g\nd\n1 4096 19 3\0")))
                .containsExactly(
                        new FolderEntry("a", new FileStat(2, 16, 3)), new FolderEntry("d", new FileStat(4096, 19, 3)));
        assertThat(FolderEntry.decodeAll(text(".\n0 0 0 0\0"))).isEmpty();
        assertThat(FolderEntry.decodeAll(text(""))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a\n\nb", ".\n0 0 0 0\na", ".\n0 0 0 0\na\nb", ".\n0 0 0 0\na\n1 -2 3 4"})
    void refusesOtherFolders(String listing) {
        assertThatThrownBy(() -> FolderEntry.decodeAll(text(listing))).isInstanceOf(AnswerException.class);
    }

    @Test
    void tellsFilesFromFoldersAndDevices() {
        assertThat(new FileStat(1, 16, 1).isFile()).isTrue();
        assertThat(new FileStat(1, 18, 1)).matches(stat -> stat.isFolder() && !stat.isFile());
        assertThat(new FileStat(1, 20, 1).isFile()).isFalse();
        assertThat(new FileStat(1, 80, 1).isFile()).as("being written").isFalse();
    }

    @Test
    void decodesChecksums() throws Exception {
        assertThat(ChecksumAnswer.decode(text("adler32 ABC\0")))
                .isEqualTo(new Checksum(Checksum.Algorithm.ADLER32, "00000abc"));
        assertThat(ChecksumAnswer.decode(text("crc32 abc"))).as("not zlib's").isEqualTo(Checksum.NONE);
        assertThatThrownBy(() -> ChecksumAnswer.decode(text("adler32 none"))).isInstanceOf(AnswerException.class);
        assertThatThrownBy(() -> ChecksumAnswer.decode(text("adler32 123456789")))
                .isInstanceOf(AnswerException.class);
    }

    @Test
    void decodesLogins() throws Exception {
        ByteBuffer body = ByteBuffer.allocate(64).position(16);
        body.put("&P=gsi,v:1&P=ztn".getBytes(StandardCharsets.UTF_8)).flip();
        assertThat(LoginAnswer.decode(body).securityPlugins()).containsExactly("gsi", "ztn");
        assertThat(LoginAnswer.decode(ByteBuffer.allocate(16)).securityPlugins())
                .isEmpty();
        assertThat(LoginAnswer.decode(ByteBuffer.allocate(0)).securityPlugins()).isEmpty();
        assertThatThrownBy(() -> LoginAnswer.decode(ByteBuffer.allocate(15))).isInstanceOf(AnswerException.class);
    }

    @Test
    void cleansTheTextOfErrors() throws Exception {
        ServerError error = ServerError.decode(numbered(3011, "a\nb\u001b[31m" + "x".repeat(1_000) + "\0rest"));

        assertThat(error.text()).startsWith("a b [31mx").hasSize(ServerError.TEXT_LENGTH_MAX);
        assertThatThrownBy(() -> ServerError.decode(text("abc"))).isInstanceOf(AnswerException.class);
    }
}
