package io.chimera.common.config;

import static io.chimera.common.config.FullConfig.parse;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.config.binding.ConfigWriter;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Defaults of every record. */
final class ConfigDefaultsTest {
    @Test
    void countsTheKeysThatAreNotAtTheirDefaults() {
        assertThat(ConfigWriter.changedKeys(parse("{}"))).isZero();
        assertThat(ConfigWriter.changedKeys(parse("node: { id: n1, role: queue }\ncycle: { in_flight: 9 }")))
                .isEqualTo(3);
        assertThat(ConfigWriter.changedKeys(parse("inputs: { u: { type: kairosdb, tcp: 127.0.0.1:7 } }")))
                .isEqualTo(2);
    }

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
}
