package io.chimera.common.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.plugin.PluginOrigin;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Description of configuration differences for the operator. */
final class ConfigurationDigestTest {
    private static final ConfigurationDigest OURS = agreement("c0ffee", "ewma", "1.0", "hello", "1.0");

    private static ConfigurationDigest agreement(String configuration, String... plugins) {
        TreeMap<String, String> editions = new TreeMap<>();
        for (int i = 0; i < plugins.length; i += 2) {
            editions.put(plugins[i], edition(plugins[i + 1]));
        }
        return ConfigurationDigest.of(configuration, editions);
    }

    private static ConfigurationDigest digest(String text) {
        return new ConfigurationDigest(text);
    }

    /** Edition of a JAR; each version has a different digest. */
    private static String edition(String version) {
        return new PluginOrigin("it", version, "/plugins/it", version.replace(".", "") + "0123456789abcdef").edition();
    }

    @Test
    void namesThePluginAndBothEditions() {
        assertThat(OURS.difference(agreement("c0ffee", "ewma", "1.0", "hello", "1.1")))
                .isEqualTo("has plugin hello 1.1 (110123456789), but this coordinator has 1.0 (100123456789)");
    }

    @Test
    void tellsTwoBuildsOfOneVersionApart() {
        ConfigurationDigest rebuilt = ConfigurationDigest.of("c0ffee", new TreeMap<>(Map.of("hello", "1.0 (feed)")));
        ConfigurationDigest before = ConfigurationDigest.of("c0ffee", new TreeMap<>(Map.of("hello", "1.0 (beef)")));

        assertThat(before.difference(rebuilt))
                .isEqualTo("has plugin hello 1.0 (feed), but this coordinator has 1.0 (beef)");
    }

    @Test
    void namesPluginsThatOneOfTheTwoHasAlone() {
        assertThat(OURS.difference(agreement("c0ffee", "hello", "1.0", "trend", "2.0")))
                .isEqualTo("lacks plugin ewma 1.0 (100123456789); it uses plugin trend 2.0 (200123456789), but this"
                        + " coordinator does not");
    }

    @Test
    void tellsOfTheConfigurationFirst() {
        assertThat(OURS.difference(agreement("decaf", "ewma", "1.0")))
                .isEqualTo("has other inputs or pipelines than this coordinator; it lacks plugin hello 1.0"
                        + " (100123456789)");
        assertThat(digest("c0ffee").difference(digest("decaf")))
                .isEqualTo("has other inputs or pipelines than this coordinator");
    }

    @Test
    void shortensTheHashForPeople() {
        assertThat(digest("0123456789abcdef;hello=1.0;trend=2.0").brief())
                .isEqualTo("0123456789ab with hello 1.0, trend 2.0");
        assertThat(digest("c0ffee").brief()).isEqualTo("c0ffee");
    }

    @Test
    void hasTheFingerprintOfItsText() {
        assertThat(digest("c0ffee").fingerprint()).isEqualTo("c0ffee".hashCode());
        assertThat(ConfigurationDigest.NONE.fingerprint()).isZero();
    }

    @Test
    void saysNothingOfWhoAgrees() {
        assertThat(OURS.difference(OURS)).isEmpty();
    }

    @Test
    void livesWithTextsThatAreNone() {
        assertThat(OURS.difference(ConfigurationDigest.NONE)).startsWith("has other inputs or pipelines");
        assertThat(OURS.difference(digest("c0ffee;;=;hello"))).contains("lacks plugin ewma");
        assertThat(ConfigurationDigest.of("c0ffee", new TreeMap<>(Map.of("a", "1;b=2")))
                        .text())
                .isEqualTo("c0ffee;a=1,b=2");
    }
}
