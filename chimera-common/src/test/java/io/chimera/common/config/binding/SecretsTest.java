package io.chimera.common.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SecretsTest {
    /** Stand-in for a future record with secrets; no current key is a secret. */
    record Login(
            @Doc("Name.") String user,
            @Doc("Secret.") String password,
            @Doc("Secret.") Integer apiToken) {}

    @Test
    void knowsSecretsByTheEndOfTheirName() {
        assertThat(List.of("password", "api_token", "stores.k.secret", "Token")).allMatch(Secrets::isSecret);
        assertThat(List.of("user", "passwords", "tokens_max", "secretary")).noneMatch(Secrets::isSecret);
    }

    @Test
    void printsNoSecret() {
        assertThat(ConfigWriter.tree(new Login("me", "s3cret", 17)))
                .isEqualTo(Map.of("user", "me", "password", "[redacted]", "api_token", "[redacted]"));
    }

    @Test
    void printsNoUserInAUrlEvenWhenItCameFromOutside() {
        ChimeraConfig config = new ConfigLoader(Map.of("CREDENTIALS", "me:s3cret"))
                .parse("test.yaml", "stores: { s: { url: 'http://${env:CREDENTIALS}@k:1' } }", List.of());

        assertThat(config.stores().get("s").url()).isEqualTo("http://me:s3cret@k:1");
        assertThat(ConfigWriter.yaml(config)).contains("http://[redacted]@k:1").doesNotContain("s3cret");
        assertThat(config.toString()).doesNotContain("s3cret");
    }

    @Test
    void tellsNoSecretInAProblem() {
        List<ConfigProblem> problems = new ArrayList<>();
        ConfigNode.Section section = YamlReader.readFile("t", "password: s3cret\napi_token: s3cret\n");
        new ConfigBinder(problems).bind(section, Login.class, "login");

        assertThat(problems)
                .extracting(ConfigProblem::message)
                .containsExactly("login.api_token is '[redacted]'; expected a whole number, e.g. 5_000_000.");
    }
}
