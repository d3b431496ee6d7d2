package io.chimera.common.config.pipeline;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.row.RowNaming;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Prefix and tags that distinguish the rows of a pipeline from rows of other pipelines in the same store. */
public record RowsConfig(
        @Doc("Prefix of the metric of each row: hosts. gives hosts.cpu.idle.mean.") @Default
        String prefix,

        @Doc("Additional tags of each row, by name: { per: host }. They take precedence over tags of"
                + " the group with the same name, which become group_<name>.")
        @Default
        Map<String, String> tags) {
    /** Orders the tags by name, and checks them. */
    public RowsConfig {
        tags = Collections.unmodifiableMap(new TreeMap<>(tags));
        tags.forEach((name, value) -> {
            if (!RowNaming.isFree(name)) {
                throw new IllegalArgumentException("tags names '" + name + "'; expected a name other than "
                        + RowNaming.PIPELINE_TAG + " and " + RowNaming.TEXT_TAG + ", not beginning with "
                        + RowNaming.GROUP_PREFIX);
            }
            if (value.isEmpty()) {
                throw new IllegalArgumentException("the tag '" + name + "' is empty; stores refuse empty tags");
            }
        });
    }
}
