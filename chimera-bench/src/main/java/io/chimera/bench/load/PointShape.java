package io.chimera.bench.load;

import java.util.List;

/** Shapes of generated points. Every line of a shape has the same number of bytes. */
public enum PointShape {
    /** 500 bytes: 8 tags sorted by name, as most agents send them, and 4 numeric fields. */
    FOUR_FIELDS(
            500,
            "system.cpu",
            "availability_zone=eu-central-1a,"
                    + "cluster=prod-metrics-003.eu-central-1,"
                    + "container_id=3f4b1c62d8a94e0795c1a6f2b07d3e58c9124f6b7a80d1e35d20c7f418ba9e63,"
                    + "environment=production,"
                    + "host=host-%1$04d.rack-0017.eu-central-1.dc.example.net,"
                    + "image=registry.example.net/platform/metrics/collector-agent:2.14.7-debian-12-slim,"
                    + "namespace=platform-observability-agents-eu,"
                    + "pod=metrics-collector-agent-%1$04d-7c9f8d6b54",
            "usage_idle,usage_system,usage_user",
            "context_switches",
            4),

    /** 346 bytes: 10 unsorted tags and 10 integer fields, after the {@code cpu} points of public benchmarks. */
    TEN_FIELDS(
            346,
            "cpu",
            "hostname=host_%1$04d,"
                    + "region=eu-central-1,"
                    + "datacenter=eu-central-1a,"
                    + "rack=6,os=Ubuntu15.10,arch=x64,team=NYC,service=19,service_version=1,"
                    + "service_environment=test",
            "",
            "usage_user,usage_system,usage_idle,usage_nice,usage_iowait,usage_irq,usage_softirq,usage_steal,"
                    + "usage_guest,usage_guest_nice",
            2);

    private final int lineLength;
    private final String metric;
    private final String tags;
    private final String doubleFields;
    private final String longFields;
    private final int longDigits;

    PointShape(int lineLength, String metric, String tags, String doubleFields, String longFields, int longDigits) {
        this.lineLength = lineLength;
        this.metric = metric;
        this.tags = tags;
        this.doubleFields = doubleFields;
        this.longFields = longFields;
        this.longDigits = longDigits;
    }

    /** Returns the bytes of a line, including its end. */
    public int lineLength() {
        return lineLength;
    }

    /** Returns the name of the metric. */
    public String metric() {
        return metric;
    }

    /** Returns the name of a tag with a distinct value per series. */
    public String distinctTag() {
        return this == FOUR_FIELDS ? "host" : "hostname";
    }

    /** Returns the value of {@link #distinctTag} of a series. */
    public String distinctTagOf(int series) {
        String prefix = distinctTag() + "=";
        return tagsOf(series).stream()
                .filter(tag -> tag.startsWith(prefix))
                .map(tag -> tag.substring(prefix.length()))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the tags of a series in sending order, each as {@code name=value}. */
    List<String> tagsOf(int series) {
        return list(String.format(tags, series));
    }

    List<String> doubleFields() {
        return list(doubleFields);
    }

    List<String> longFields() {
        return list(longFields);
    }

    /** Returns the digits of a value of {@link #longFields}. */
    int longDigits() {
        return longDigits;
    }

    private static List<String> list(String joined) {
        return joined.isEmpty() ? List.of() : List.of(joined.split(","));
    }
}
