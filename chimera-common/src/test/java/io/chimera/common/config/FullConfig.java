package io.chimera.common.config;

import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.load.ConfigLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A configuration with a value for every key. */
final class FullConfig {
    /** Has no default value. */
    static final String YAML = """
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
          g: { type: graphite, tcp: 127.0.0.1:9, graphite: { templates: [host.metric*] } }
          d: { type: statsd, tcp: 127.0.0.1:10, statsd: { relative_gauges: delta } }
          l: { type: syslog, tcp: 127.0.0.1:11, syslog: { timezone: Europe/Berlin } }
          w:
            type: remote_write
            http: 127.0.0.1:12
            remote_write: { not_finite: reject, counter_suffixes: [_n] }
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
          tables:
            type: postgresql
            url: postgresql://db:1/m
            tls: { ca: /o }
            postgresql: { user: u, password: key3, schema: metrics, tables: create }
        plugins: { folder: /pl, failures_max: 7, call_timeout: 12s }
        datasets:
          folder: /d
          workers: 3
          memory: 65MiB
          allow: [h, "file:/f"]
          copies: { folder: /c, max_bytes: 65MiB, keep_for: 14s, block_bytes: 65KiB }
          credentials: { c: { user: u, password: key1, token: key2, hosts: [h] } }
        """;

    private FullConfig() {}

    static ChimeraConfig parsed() {
        return parse(YAML);
    }

    static ChimeraConfig parse(String yaml) {
        return new ConfigLoader(Map.of()).parse("test.yaml", yaml, List.of());
    }

    static Endpoint at(int port) {
        return new Endpoint("127.0.0.1", port);
    }

    static TlsConfig authorities(String ca) {
        return Sections.of(TlsConfig.class, "ca", Path.of(ca));
    }
}
