package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.Sections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GraphiteConfigTest {
    @Test
    void readsFilterPartsAndTags() {
        GraphiteTemplate template = GraphiteTemplate.parse(" servers.web*  .host..metric*  dc=eu,rack=a ");

        assertThat(template.filter()).containsExactly("servers", "web*");
        assertThat(template.parts()).containsExactly("", "host", "", "metric*");
        assertThat(template.tags()).isEqualTo(Map.of("dc", "eu", "rack", "a"));
        assertThat(GraphiteTemplate.parse("metric* dc=eu").filter()).isEmpty();
    }

    @Test
    void ordersTemplatesByTheirFilters() {
        GraphiteConfig config =
                new GraphiteConfig(List.of("metric*", "a.* b.metric", "a.b* c.metric", "a.b.c metric*"));

        assertThat(config.parsedTemplates())
                .extracting(template -> String.join(".", template.filter()))
                .containsExactly("a.b.c", "a.b*", "a.*", "");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | [filter] parts",
                "host.zone | a part metric",
                "metric*.host | a part metric",
                "a..b metric* | a filter without empty names",
                "host.host.metric | each tag once",
                "a.b metric* more | [filter] parts",
                "host.metric host=x | each name once",
                "metric* a=b,a=c | each name once",
                "metric* a= | each name once",
                "metric* =b | each name once",
            })
    void refusesBadTemplates(String template, String expected) {
        assertThatThrownBy(() -> new GraphiteConfig(List.of(template))).hasMessageContaining(expected);
    }

    @Test
    void belongsToInputsOfGraphiteOnly() {
        GraphiteConfig config = new GraphiteConfig(List.of("host.metric*"));

        assertThat(Sections.of(InputConfig.class, "type", InputConfig.GRAPHITE)
                        .graphite()
                        .templates())
                .isEmpty();
        assertThat(Sections.of(InputConfig.class, "type", InputConfig.GRAPHITE_PICKLE, "graphite", config)
                        .graphite())
                .isEqualTo(config);
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "graphite", config))
                .hasMessageContaining("graphite");
    }
}
