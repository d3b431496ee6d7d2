package io.chimera.dataset.source.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.Checksum.Algorithm;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsers of headers, and the records of addresses and credentials. */
final class HeadersTest {
    @Test
    void readsContentRanges() {
        assertThat(ContentRange.parse("bytes 0-499/1234")).contains(new ContentRange(0, 499, 1234));
        assertThat(ContentRange.parse(" Bytes  7-7/* ")).contains(new ContentRange(7, 7, -1));
        assertThat(ContentRange.parse("bytes */1234")).contains(new ContentRange(-1, -1, 1234));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "bytes",
                "bytes ",
                "bytes 0-499",
                "bytes */*",
                "bytes -1-4/10",
                "bytes 5-4/10",
                "bytes 0-10/10",
                "bytes 0-+9/10",
                "bytes 0-9/1_0",
                "bytes 0-9/99999999999999999999",
                "items 0-9/10",
                "bytes=0-9/10",
                "bytes 0-9/10/11",
                "bytes ٠-٩/10"
            })
    void refusesOtherContentRanges(String text) {
        assertThat(ContentRange.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "120, 120",
        "301, 300",
        "99999999999999999999999999, 300",
        "-5, 0",
        "1.5, 0",
        "'', 0",
        "'Thu, 01 Jan 2026 00:02:00 GMT', 120",
        "'Wed, 31 Dec 2025 23:59:59 GMT', 0",
        "'Fri, 01 Jan 2027 00:00:00 GMT', 300",
        "'Thu, 32 Jan 2026 00:02:00 GMT', 0"
    })
    void readsPausesInSecondsAndDates(String text, int seconds) {
        assertThat(HttpTimes.retryAfter(text, new ManualClock())).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void writesDates() {
        assertThat(HttpTimes.format(Instant.ofEpochSecond(784111777))).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(HttpTimes.date("Sun, 06 Nov 1994 08:49:37 GMT")).contains(Instant.ofEpochSecond(784111777));
        assertThat(HttpTimes.format(Instant.parse("2026-01-05T00:00:00Z"))).isEqualTo("Mon, 05 Jan 2026 00:00:00 GMT");
    }

    @ParameterizedTest
    @CsvSource({
        "adler32=03da0195, ADLER32, 03da0195",
        "ADLER32=3DA0195, ADLER32, 03da0195",
        "'crc32c=E3069283', CRC32C, e3069283",
        "'crc32c=4waSgw==', CRC32C, e3069283",
        "'md5=eB5eJF1ptWaXm4bijSPyxw==', MD5, 781e5e245d69b566979b86e28d23f2c7",
        "'adler32=03da0195,md5=781e5e245d69b566979b86e28d23f2c7', MD5, 781e5e245d69b566979b86e28d23f2c7",
        "'md5=:eB5eJF1ptWaXm4bijSPyxw==:, unixsum=1', MD5, 781e5e245d69b566979b86e28d23f2c7"
    })
    void readsDigests(String text, Algorithm algorithm, String hex) {
        assertThat(DigestHeaders.parse(text)).isEqualTo(new Checksum(algorithm, hex));
    }

    @Test
    void prefersTheStrongestDigest() {
        String sha256 = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
        assertThat(DigestHeaders.parse(sha256 + ",adler32=00000001").hex()).startsWith("e3b0c442");
        assertThat(DigestHeaders.parse("adler32=00000001, " + sha256).algorithm())
                .isEqualTo(Algorithm.SHA256);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "=", "md5", "md5=", "md5=abc", "md5=::", "sha-1=abc", "adler32=123456789", "adler32=xyz"})
    void malformedDigestsCountAsAbsent(String text) {
        assertThat(DigestHeaders.parse(text)).isEqualTo(Checksum.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"a-1\"", "W/\"x\""})
    void knowsEtags(String text) {
        assertThat(Validators.isEtag(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "abc", "\"", "\"a", "\"a\"b\"", "w/\"x\"", "\"a\r\nX: y\"", "\"ü\"", "modified=1;length=2"})
    void knowsTextsThatAreNoEtags(String text) {
        assertThat(Validators.isEtag(text)).isFalse();
    }

    @Test
    void encodesPaths() {
        assertThat(PercentEncoding.ofPath("a b/ü+~%.csv")).isEqualTo("a%20b/%C3%BC%2B~%25.csv");
        assertThat(PercentEncoding.ofQuery("a/b=c&d")).isEqualTo("a%2Fb%3Dc%26d");
    }

    @Test
    void credentialsShowNoSecret() {
        assertThat(HttpCredentials.basic("me", "s3cr3t").toString())
                .contains("me")
                .doesNotContain("s3cr3t");
        assertThat(HttpCredentials.bearer("s3cr3t").toString()).doesNotContain("s3cr3t");
        HttpLocation location = new HttpLocation(URI.create("http://h/a"), HttpCredentials.bearer("s3cr3t"), true);
        assertThat(location.toString()).doesNotContain("s3cr3t").contains("http://h/a/");
        HttpCall call = new HttpCall(
                "GET", URI.create("http://h/a?token=s3cr3t"), Map.of(HttpCall.AUTHORIZATION, "s3cr3t"), "a at h");
        assertThat(call.toString()).doesNotContain("s3cr3t").contains("a at h");
    }

    @Test
    void refusesCredentialsThatBreakHeaders() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpCredentials.bearer("s3cr3t\r\nX: y"))
                .withMessageNotContaining("s3cr3t");
        assertThatIllegalArgumentException().isThrownBy(() -> HttpCredentials.bearer("s3cr3t x"));
        assertThatIllegalArgumentException().isThrownBy(() -> HttpCredentials.bearer(""));
        assertThatIllegalArgumentException().isThrownBy(() -> HttpCredentials.basic("a:b", "s3cr3t"));
        assertThatIllegalArgumentException().isThrownBy(() -> HttpCredentials.basic("", "s3cr3t"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://h/",
                "/a",
                "http:///a",
                "http://me:s3cr3t@h/",
                "http://h/?token=s3cr3t",
                "http://h/#s3cr3t"
            })
    void refusesAddressesWithMoreThanAPath(String base) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HttpLocation(URI.create(base), HttpCredentials.NONE, false))
                .withMessageNotContaining("s3cr3t");
    }

    @Test
    void refusesSettingsThatAreNone() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new HttpSettings(0, second, second, second, null));
        assertThatIllegalArgumentException().isThrownBy(() -> new HttpSettings(1, second, Duration.ZERO, second, null));
    }
}
