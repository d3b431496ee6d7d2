package io.chimera.dataset.source.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.ObjectVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Arbitrary values of headers cause no exception, and every result is within its bounds. */
final class HeadersFuzz {
    @FuzzTest(maxDuration = "1m")
    void readsAnyHeader(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);

        ContentRange.parse(text).ifPresent(range -> {
            assertThat(range.last()).isGreaterThanOrEqualTo(range.first());
            assertThat(range.total() < 0 || range.last() < range.total()).isTrue();
        });
        assertThat(HttpTimes.retryAfter(text, new ManualClock())).isBetween(Duration.ZERO, HttpTimes.RETRY_AFTER_MAX);
        Optional<Instant> date = HttpTimes.date(text);
        assertThat(DigestHeaders.parse(text)).isNotNull();
        assertThat(DigestHeaders.parseMd5(text)).isNotNull();
        if (Validators.isEtag(text)) {
            assertThat(text.chars()).allMatch(c -> c > ' ' && c < 0x7F);
        }
        String tag = new Validators(Validators.isEtag(text) ? text : "", date).tag(bytes.length);
        ObjectVersion listed = new ObjectVersion(tag, Checksum.NONE);
        assertThat(new Validators("", date).contradicts(listed)).isFalse();
        Validators.conditions(listed);
        Validators.conditions(new ObjectVersion(text, Checksum.NONE));
    }
}
