package io.chimera.common.config;

import static io.chimera.common.config.FullConfig.at;
import static io.chimera.common.config.FullConfig.authorities;
import static io.chimera.common.config.FullConfig.parse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mapping of every key of inputs, pipelines and stores to its component. */
final class DataSectionsTest {
    @Test
    void mapsTheKeysOfInputs() {
        assertThat(FullConfig.parsed().inputs())
                .isEqualTo(Map.of(
                        "k",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.KAIROSDB,
                                "http",
                                at(5),
                                "tcp",
                                at(6),
                                "tls",
                                Sections.of(TlsConfig.class, "cert", Path.of("/c"), "key", Path.of("/k")),
                                "limits",
                                new LimitsConfig(
                                        ByteSize.ofMebibytes(1),
                                        5,
                                        ByteSize.ofMebibytes(2),
                                        6,
                                        Duration.ofSeconds(8),
                                        9,
                                        new SlowConfig(
                                                Duration.ofSeconds(2),
                                                new ByteSize(3),
                                                Duration.ofSeconds(4),
                                                Duration.ofSeconds(7)),
                                        new SeriesConfig(1, 2, 3, 4, Duration.ofMinutes(5)))),
                        "u",
                        Sections.of(InputConfig.class, "type", InputConfig.INFLUX, "tcp", at(7)),
                        "g",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.GRAPHITE,
                                "tcp",
                                at(9),
                                "graphite",
                                new GraphiteConfig(List.of("host.metric*"))),
                        "d",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.STATSD,
                                "tcp",
                                at(10),
                                "statsd",
                                new StatsdConfig(StatsdConfig.RelativeGauges.DELTA)),
                        "l",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.SYSLOG,
                                "tcp",
                                at(11),
                                "syslog",
                                new SyslogConfig("Europe/Berlin")),
                        "w",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.REMOTE_WRITE,
                                "http",
                                at(12),
                                "remote_write",
                                new RemoteWriteConfig(RemoteWriteConfig.NotFinite.REJECT, List.of("_n"))),
                        "r",
                        Sections.of(
                                InputConfig.class,
                                "type",
                                InputConfig.IPFIX,
                                "udp",
                                at(8),
                                "flow",
                                new FlowConfig(
                                        "f", List.of(FlowColumn.EXPORTER, FlowColumn.SRC), List.of(FlowColumn.PACKETS)),
                                "ipfix",
                                new IpfixConfig(true, true, Duration.ofMinutes(2), 3, 4),
                                "insecure",
                                true,
                                "allow",
                                List.of("10.0.0.0/8"))));
    }

    @Test
    void refusesWhatRemoteWriteHasNot() {
        for (String listener : List.of("tcp", "udp")) {
            assertThatThrownBy(() -> Sections.of(InputConfig.class, "type", InputConfig.REMOTE_WRITE, listener, at(1)))
                    .hasMessageContaining(listener);
        }
        RemoteWriteConfig mapping = Sections.of(RemoteWriteConfig.class);
        assertThat(mapping.counterSuffixes()).containsExactly("_total", "_count", "_sum", "_bucket");
        assertThatThrownBy(() -> Sections.of(InputConfig.class, "remote_write", mapping))
                .hasMessageContaining("remote_write");
        assertThatThrownBy(() -> Sections.of(RemoteWriteConfig.class, "counter_suffixes", List.of("")))
                .hasMessageContaining("counter_suffixes");
    }

    @Test
    void mapsTheKeysOfPipelines() {
        assertThat(FullConfig.parsed().pipelines())
                .isEqualTo(Map.of(
                        "p",
                        Sections.of(
                                        PipelineConfig.class,
                                        "inputs",
                                        List.of("k"),
                                        "where",
                                        "cpu*",
                                        "aggregate",
                                        Sections.of(
                                                AggregateConfig.class,
                                                "by",
                                                List.of("host"),
                                                "functions",
                                                List.of("count"),
                                                "late_after",
                                                Duration.ofSeconds(9),
                                                "combine_after",
                                                8),
                                        "stores",
                                        List.of("s"),
                                        "delivery",
                                        PipelineConfig.Delivery.EXACTLY_ONCE)
                                .withRows(new RowsConfig("p.", Map.of("per", "host"))),
                        "w",
                        Sections.of(
                                        PipelineConfig.class,
                                        "aggregate",
                                        Sections.of(AggregateConfig.class, "without", List.of("host")),
                                        "stores",
                                        List.of("s"))
                                .withRows(Sections.of(RowsConfig.class, "tags", Map.of("per", "rack")))));
    }

    @Test
    void mapsTheKeysOfStores() {
        assertThat(FullConfig.parsed().stores())
                .isEqualTo(Map.of(
                        "s",
                        Sections.of(
                                StoreConfig.class,
                                "type",
                                StoreConfig.KAIROSDB,
                                "url",
                                "https://k:1",
                                "batch_rows",
                                10,
                                "timeout",
                                Duration.ofSeconds(11),
                                "gzip",
                                false,
                                "tls",
                                authorities("/o")),
                        "past",
                        Sections.of(
                                StoreConfig.class,
                                "type",
                                StoreConfig.ARCHIVE,
                                "archive",
                                new VolumeConfig(
                                        List.of("/dev/a", "b"),
                                        ByteSize.ofMebibytes(37),
                                        "rows",
                                        ByteSize.ofMebibytes(18)),
                                "refused_max",
                                0.25,
                                "refused_for",
                                Duration.ofSeconds(13)),
                        "tables",
                        Sections.of(
                                StoreConfig.class,
                                "type",
                                StoreConfig.POSTGRESQL,
                                "url",
                                "postgresql://db:1/m",
                                "tls",
                                authorities("/o"),
                                "postgresql",
                                new PostgresConfig("u", "key3", "metrics", PostgresConfig.Tables.CREATE))));
    }

    @Test
    void aDatabaseNeedsAnAddressWithoutUserAndParameters() {
        for (String url : List.of(
                "postgresql://db/metrics",
                "postgresql://db.example:5432/metrics",
                "postgresql://10.0.0.1:5432,[::1]:5433/metrics")) {
            assertThat(parse("stores: { s: { type: postgresql, url: '" + url + "' } }")
                            .stores()
                            .get("s")
                            .postgresql()
                            .user())
                    .isEqualTo("chimera");
        }
        for (String url : List.of(
                "",
                "http://db:5432/metrics",
                "jdbc:postgresql://db/metrics",
                "postgresql://db",
                "postgresql://db/metrics?user=u",
                "postgresql://u:pass@db/metrics")) {
            assertThatThrownBy(() -> parse("stores: { s: { type: postgresql, url: '" + url + "' } }"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("stores.s.url")
                    .hasMessageContaining("postgresql://")
                    .hasMessageNotContaining("pass@");
        }
    }

    @Test
    void keysOfADatabaseBelongToADatabase() {
        for (String store : List.of(
                "type: postgresql, url: 'postgresql://db/m', gzip: true",
                "type: kairosdb, postgresql: {}",
                "type: postgresql, url: 'postgresql://db/m', postgresql: { schema: 'a;b' }",
                "type: postgresql, url: 'postgresql://db/m', postgresql: { schema: pg_temp }",
                "type: postgresql, url: 'postgresql://db/m', postgresql: { user: '' }")) {
            assertThatThrownBy(() -> parse("stores: { s: { " + store + " } }"))
                    .as(store)
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("stores.s.");
        }
        assertThat(parse(
                                "stores: { s: { type: postgresql, url: 'postgresql://db/m', postgresql: { password: key3 } } }")
                        .toString())
                .doesNotContain("key3");
    }

    @Test
    void whatAnArchiveHasNoUseForIsRefused() {
        for (String key : List.of("url: 'http://k:1'", "gzip: true")) {
            assertThatThrownBy(() -> parse("stores: { past: { type: archive, " + key + " } }"))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("stores.past." + key.substring(0, key.indexOf(':')))
                    .hasMessageContaining("none for type: archive");
        }
        assertThat(parse("stores: { past: { type: archive, batch_rows: 5 } }")
                        .stores()
                        .get("past")
                        .batchRows())
                .isEqualTo(5);
    }
}
