package io.chimera.common.config;

import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import java.util.List;

/** Reading of paths by an input of type graphite or graphite_pickle. */
public record GraphiteConfig(
        @Doc("Templates that split dotted paths without tags into the metric and tags:"
                + " '[filter] parts [tag=value,...]', e.g. 'servers.* .host.metric* dc=eu'. The part metric belongs to"
                + " the metric, metric* takes all remaining names, an empty part is dropped, any other part names a tag."
                + " A template applies to paths that begin with its filter (* matches any text within a name) and have"
                + " a part for each name; the longest filter wins.")
        @Default
        List<String> templates) {
    /** Checks the values. */
    public GraphiteConfig {
        Requirements requirements = new Requirements();
        for (String template : templates) {
            String defect = defect(template);
            requirements.that(defect.isEmpty(), "templates", "'" + template + "'", defect);
        }
        requirements.check();
    }

    private static String defect(String template) {
        try {
            GraphiteTemplate.parse(template);
            return "";
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    /** Templates, the longest filter first. */
    public List<GraphiteTemplate> parsedTemplates() {
        return templates.stream()
                .map(GraphiteTemplate::parse)
                .sorted(GraphiteTemplate.LONGEST_FIRST)
                .toList();
    }
}
