package io.chimera.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.ConfigException;
import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.binding.CyclePeriod;
import io.chimera.common.config.binding.LaneCount;
import io.chimera.common.config.binding.ProcessorWeight;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.config.pipeline.RowsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defaults of every record, and binding of every key of the file to its component. */
final class ConfigRecordsTest {
    @Test
    void countsTheKeysThatAreNotAtTheirDefaults() {
        assertThat(ConfigWriter.changedKeys(parse("{}"))).isZero();
        assertThat(ConfigWriter.changedKeys(parse("node: { id: n1, role: queue }\ncycle: { in_flight: 9 }")))
                .isEqualTo(3);
        assertThat(ConfigWriter.changedKeys(parse("inputs: { u: { type: kairosdb, tcp: 127.0.0.1:7 } }")))
                .isEqualTo(2);
    }

    /** Complete configuration without any default value. */
    private static final String FULL = """
        node: { role: processor, id: n1, host: h1, data_dir: /d, http: 127.0.0.1:1, drain_within: 3s, insecure: true, tokens: /t,
                tls: { cert: /c, key: /k, key_password: pw, ca: /a, crl: /r, client_auth: need, names: [n*], min: 1.3, ciphers: [X], reload: 5s } }
        coordinator:
          connect: zk:1
          cluster: c
          path: /p/q
          session_timeout: 7s
          straggler_after: 8s
          tls: { ca: /o }
          secret: 0123456789abcdef
          embedded: { run: always, address: 127.0.0.1:2, data_dir: /z }
        cycle: { every: auto, every_min: 2s, every_max: 40s, max_points: 2_000, in_flight: 4, clock_step_max: 30s }
        queue:
          address: 127.0.0.1:3
          group: east
          lanes: 2
          cpus: [0-3, "4,6"]
          ring_slots: 128
          acks: 3
          min_acks: 2
          journal: { sync: batch, interval: 20ms, max_bytes: 128MiB, roll: 1h, reserve: 1MiB, retain_for: 2h, retain_bytes: 3MiB, archive: { size: 64MiB } }
        processor:
          address: 127.0.0.1:4
          lanes: 1
          cpus: [0]
          weight: auto
          warehouse: off_heap
          max_groups: 5_000
          max_bytes: 32MiB
          ring_slots: 16
        inputs:
          k:
            type: kairosdb
            http: 127.0.0.1:5
            tcp: 127.0.0.1:6
            tls: { cert: /c, key: /k }
            limits:
              body_max: 1MiB
              ratio_max: 5
              in_flight_max: 2MiB
              connections_max: 6
              idle: 8s
              client_share: 9
              slow: { headers_within: 2s, rate_min: 3, rate_over: 4s, line_within: 7s }
              series: { max: 1, per_minute: 2, sender_max: 3, sender_per_minute: 4, forget_after: 5m }
          u: { tcp: 127.0.0.1:7 }
          r:
            type: ipfix
            udp: 127.0.0.1:8
            insecure: true
            allow: [10.0.0.0/8]
            flow: { metric: f, tags: [exporter, src], fields: [packets] }
            ipfix: { scale: true, other_elements: true, template_timeout: 2m, templates_max: 3, exporters_max: 4 }
        pipelines:
          p:
            inputs: [k]
            where: cpu*
            aggregate: { by: [host], functions: [count], late_after: 9s, combine_after: 8 }
            stores: [s]
            rows: { prefix: p., tags: { per: host } }
            delivery: exactly_once
          w: { aggregate: { without: [host] }, stores: [s], rows: { tags: { per: rack } } }
        stores:
          s: { type: kairosdb, url: "https://k:1", batch_rows: 10, timeout: 11s, gzip: false, tls: { ca: /o } }
          past:
            type: archive
            archive: { devices: [/dev/a, b], size: 37MiB, stream: rows, guarantee: 18MiB }
            refused_max: 0.25
            refused_for: 13s
        plugins: { folder: /pl, failures_max: 7, call_timeout: 12s }
        datasets:
          folder: /d
          workers: 3
          memory: 65MiB
          allow: [h, "file:/f"]
          copies: { folder: /c, max_bytes: 65MiB, keep_for: 14s, block_bytes: 65KiB }
          credentials: { c: { user: u, password: key1, token: key2, hosts: [h] } }
        """;

    @Test
    void hasTheseDefaults() {
        ChimeraConfig config = Sections.of(
                ChimeraConfig.class,
                "inputs",
                Map.of("i", Sections.of(InputConfig.class)),
                "pipelines",
                Map.of("p", Sections.of(PipelineConfig.class)),
                "stores",
                Map.of("s", Sections.of(StoreConfig.class)));

        assertThat(ConfigWriter.yaml(config)).isEqualTo("""
            node:
              role: all
              id: ""
              host: ""
              data_dir: /var/lib/chimera
              http: 127.0.0.1:9600
              drain_within: 10s
              insecure: false
            coordinator:
              connect: ""
              cluster: chimera
              path: /chimera
              session_timeout: 4s
              straggler_after: 10s
              secret: ""
              embedded:
                run: auto
                address: 127.0.0.1:2181
                data_dir: ""
            cycle:
              every: 10s
              every_min: 1s
              every_max: 30s
              max_points: 5000000
              in_flight: 3
              clock_step_max: 1m
            queue:
              address: 127.0.0.1:9601
              group: main
              lanes: 1
              cpus: []
              ring_slots: 64
              acks: 2
              min_acks: 2
              journal:
                sync: interval
                interval: 100ms
                max_bytes: 16GiB
                roll: 1m
                reserve: 256MiB
                retain_for: 1h
                retain_bytes: 1GiB
            processor:
              address: 127.0.0.1:9602
              lanes: auto
              cpus: []
              weight: 1
              warehouse: on_heap
              max_groups: 1000000
              ring_slots: 32
            inputs:
              i:
                type: influx
                limits:
                  body_max: 20MiB
                  ratio_max: 100
                  in_flight_max: 64MiB
                  connections_max: 1000
                  idle: 5m
                  client_share: 50
                  slow:
                    headers_within: 10s
                    rate_min: 1KiB
                    rate_over: 5s
                    line_within: 1m
                  series:
                    max: 1000000
                    per_minute: 100000
                    sender_max: 500000
                    sender_per_minute: 50000
                    forget_after: 1h
                insecure: false
                allow: []
            pipelines:
              p:
                inputs: []
                where: '*'
                aggregate:
                  by: []
                  without: []
                  functions:
                    - count
                    - min
                    - max
                    - sum
                    - mean
                    - variance
                  late_after: 0s
                  combine_after: 0
                stores: []
                rows:
                  prefix: ""
                  tags: {}
                delivery: at_least_once
            stores:
              s:
                type: kairosdb
                url: http://127.0.0.1:8080
                batch_rows: 10000
                timeout: 30s
                gzip: true
                refused_max: 0.1
                refused_for: 5m
            plugins:
              folder: ""
              failures_max: 100
              call_timeout: 5s
            """);
    }

    @Test
    void mapsEveryKeyToItsComponent() {
        ChimeraConfig expected = new ChimeraConfig(
                Sections.of(
                        NodeConfig.class,
                        "role",
                        NodeConfig.Role.PROCESSOR,
                        "id",
                        "n1",
                        "host",
                        "h1",
                        "data_dir",
                        Path.of("/d"),
                        "http",
                        at(1),
                        "tls",
                        new TlsConfig(
                                Path.of("/c"),
                                Path.of("/k"),
                                "pw",
                                Path.of("/a"),
                                Path.of("/r"),
                                TlsConfig.ClientAuth.NEED,
                                List.of("n*"),
                                "1.3",
                                List.of("X"),
                                Duration.ofSeconds(5)),
                        "drain_within",
                        Duration.ofSeconds(3),
                        "insecure",
                        true,
                        "tokens",
                        Path.of("/t")),
                new CoordinatorConfig(
                        "zk:1",
                        "c",
                        "/p/q",
                        Duration.ofSeconds(7),
                        Duration.ofSeconds(8),
                        authorities("/o"),
                        "0123456789abcdef",
                        new CoordinatorConfig.Embedded(CoordinatorConfig.Embedded.Run.ALWAYS, at(2), Path.of("/z"))),
                new CycleConfig(
                        CyclePeriod.AUTO,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(40),
                        2_000L,
                        4,
                        Duration.ofSeconds(30)),
                new QueueConfig(
                        at(3),
                        "east",
                        new LaneCount(2),
                        List.of("0-3", "4,6"),
                        128,
                        3,
                        2,
                        new JournalConfig(
                                JournalConfig.Sync.BATCH,
                                Duration.ofMillis(20),
                                ByteSize.ofMebibytes(128),
                                Duration.ofHours(1),
                                ByteSize.ofMebibytes(1),
                                Duration.ofHours(2),
                                ByteSize.ofMebibytes(3),
                                Sections.of(
                                        VolumeConfig.class,
                                        "devices",
                                        List.of("journal.volume"),
                                        "size",
                                        ByteSize.ofMebibytes(64),
                                        "stream",
                                        "journal"))),
                new ProcessorConfig(
                        at(4),
                        new LaneCount(1),
                        List.of("0"),
                        ProcessorWeight.AUTO,
                        ProcessorConfig.Warehouse.OFF_HEAP,
                        5_000,
                        ByteSize.ofMebibytes(32),
                        16),
                Map.of(
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
                                List.of("10.0.0.0/8"))),
                Map.of(
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
                                .withRows(Sections.of(RowsConfig.class, "tags", Map.of("per", "rack")))),
                Map.of(
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
                                Duration.ofSeconds(13))),
                new PluginsConfig(Path.of("/pl"), 7, Duration.ofSeconds(12)),
                new DatasetsConfig(
                        Path.of("/d"),
                        3,
                        ByteSize.ofMebibytes(65),
                        List.of("h", "file:/f"),
                        new CopiesConfig(
                                Path.of("/c"),
                                ByteSize.ofMebibytes(65),
                                Duration.ofSeconds(14),
                                new ByteSize(65 << 10)),
                        Map.of("c", new CredentialConfig("u", "key1", "key2", List.of("h")))));

        assertThat(parse(FULL)).isEqualTo(expected);
    }

    private static TlsConfig authorities(String ca) {
        return Sections.of(TlsConfig.class, "ca", Path.of(ca));
    }

    @Test
    void printsWhatLoadsAgainButForSecrets() {
        String open = FULL.replace("key_password: pw, ", "")
                .replace("secret: 0123456789abcdef", "secret: ''")
                .replace("password: key1, token: key2, ", "");
        ChimeraConfig config = parse(open);

        assertThat(parse(ConfigWriter.yaml(config))).isEqualTo(config);
        assertThat(ConfigWriter.yaml(parse(FULL)))
                .contains("key_password: \"[redacted]\"", "secret: \"[redacted]\"")
                .doesNotContain("0123456789abcdef");
        assertThat(parse(FULL).toString()).doesNotContain("0123456789abcdef", "pw", "key1", "key2");
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

    @Test
    void runsAZooKeeperOfItsOwnOnlyWhenNoOtherIsNamed() {
        assertThat(parse("").coordinator().runsEmbedded()).isTrue();
        assertThat(parse("coordinator: { connect: 'a:1' }").coordinator().runsEmbedded())
                .isFalse();
        assertThat(parse("coordinator: { connect: 'a:1', embedded: { run: always } }")
                        .coordinator()
                        .runsEmbedded())
                .isTrue();
        assertThat(parse("coordinator: { embedded: { run: never } }")
                        .coordinator()
                        .runsEmbedded())
                .isFalse();
        assertThat(parse("node: { insecure: true }\ncoordinator: { embedded: { address: 0.0.0.0:99 } }")
                        .coordinator()
                        .connectString())
                .isEqualTo("127.0.0.1:99");
    }

    private static Endpoint at(int port) {
        return new Endpoint("127.0.0.1", port);
    }

    private static ChimeraConfig parse(String yaml) {
        return new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of());
    }
}
