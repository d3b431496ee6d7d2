package io.chimera.dataset.source.xrootd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs and their opaque text. */
final class OpaqueTest {
    @ParameterizedTest
    @CsvSource({
        "root://h, root://h:1094/, ''",
        "root://h//, root://h:1094/, ''",
        "root://user@H:7//a/b/, root://h:7//a/b, /a/b",
        "roots://h/a//b, roots://h:1094//a/b, /a/b",
        "xroot://[::1]:5//a?authz=x/y?z, root://[::1]:5//a, /a"
    })
    void parsesUrls(String url, String place, String root) {
        XrootdUrl parsed = XrootdUrl.parse(url);

        assertThat(parsed.place()).isEqualTo(place);
        assertThat(parsed.root()).isEqualTo(root);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://h/?authz=secret", "root://", "root://h:x?authz=secret", "root://h//a/../b?secret"})
    void refusesOtherUrlsWithoutTheirText(String url) {
        assertThatThrownBy(() -> XrootdUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void replacesValuesAndKeepsTheirOrder() {
        Opaque opaque = Opaque.of("a=1&b=2&&c").merge("b=3&d=x=y");

        assertThat(opaque.onto("/p")).isEqualTo("/p?a=1&b=3&c=&d=x=y");
        assertThat(Opaque.NONE.onto("/p")).isEqualTo("/p");
        assertThat(opaque.avoid("h1", "").avoid("h2", "ioerr").onto("/p")).endsWith("&tried=h1,h2&triedrc=ioerr");
    }

    @Test
    void neverShowsValues() {
        Opaque opaque = Opaque.of("authz=Bearer%20abcdef&n=1");

        assertThat(opaque.redact("token Bearer abcdef and Bearer%20abcdef, 1 try"))
                .isEqualTo("token *** and ***, 1 try");
        assertThat(opaque.toString() + XrootdUrl.parse("root://h//a?authz=Bearer%20abcdef"))
                .doesNotContain("abcdef");
    }
}
