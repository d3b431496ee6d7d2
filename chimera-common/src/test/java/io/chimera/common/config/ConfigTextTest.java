package io.chimera.common.config;

import static io.chimera.common.config.FullConfig.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.binding.ConfigWriter;
import org.junit.jupiter.api.Test;

/** Text of a configuration. */
final class ConfigTextTest {
    @Test
    void printsWhatLoadsAgainButForSecrets() {
        String open = FullConfig.YAML
                .replace("key_password: pw, ", "")
                .replace("secret: 0123456789abcdef", "secret: ''")
                .replace("password: key1, token: key2, ", "")
                .replace("password: key3, ", "");
        ChimeraConfig config = parse(open);

        assertThat(parse(ConfigWriter.yaml(config))).isEqualTo(config);
        assertThat(ConfigWriter.yaml(parse(FullConfig.YAML)))
                .contains("key_password: \"[redacted]\"", "secret: \"[redacted]\"")
                .doesNotContain("0123456789abcdef");
        assertThat(parse(FullConfig.YAML).toString()).doesNotContain("0123456789abcdef", "pw", "key1", "key2", "key3");
    }
}
