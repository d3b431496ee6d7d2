package io.chimera.common.config.binding;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.chimera.common.config.binding.ConfigNode.Items;
import io.chimera.common.config.binding.ConfigNode.Place;
import io.chimera.common.config.binding.ConfigNode.Scalar;
import io.chimera.common.config.binding.ConfigNode.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * Parses YAML text to nodes with line numbers. Bounded against hostile files in size and depth, and without aliases,
 * because a few lines with aliases could expand to gigabytes. Scalars remain text; their keys define the
 * interpretation.
 */
public final class YamlReader {
    /** Maximum number of characters; a configuration with a thousand pipelines has about 300 KB. */
    public static final int CHARACTERS_MAX = 1 << 20;

    private static final int DEPTH_MAX = 32;

    private static final YAMLFactory FACTORY =
            YAMLFactory.builder().loaderOptions(options()).build();

    private final String file;
    private final int lineOverride;
    private final YAMLParser parser;

    private YamlReader(String file, int lineOverride, YAMLParser parser) {
        this.file = file;
        this.lineOverride = lineOverride;
        this.parser = parser;
    }

    private static LoaderOptions options() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(CHARACTERS_MAX);
        options.setNestingDepthLimit(DEPTH_MAX);
        options.setMaxAliasesForCollections(0);
        return options;
    }

    /**
     * Parses the text of a file.
     *
     * @throws ConfigException for invalid YAML or an exceeded bound
     */
    public static Section readFile(String file, String text) {
        return asSection(read(file, text, -1));
    }

    /** Parses the value of an override: any YAML on one line. */
    public static ConfigNode readValue(String origin, String text) {
        return read(origin, text, 0);
    }

    private static Section asSection(ConfigNode root) {
        if (root instanceof Section section) {
            return section;
        }
        if (root instanceof Scalar scalar && scalar.text().isEmpty()) {
            return new Section(root.place(), Map.of());
        }
        throw fail(root.place(), "A configuration is keys and values, e.g. 'node: { role: queue }'.");
    }

    private static ConfigNode read(String file, String text, int line) {
        if (text.length() > CHARACTERS_MAX) {
            throw fail(new Place(file, 0), "The file is larger than 1 MiB; split it into files in conf.d.");
        }
        try (YAMLParser parser = FACTORY.createParser(text)) {
            YamlReader reader = new YamlReader(file, line, parser);
            JsonToken first = parser.nextToken();
            ConfigNode root =
                    first == null ? new Scalar(new Place(file, 0), "") : reader.node(reader.place(), first, 0);
            if (parser.nextToken() != null) {
                throw fail(reader.place(), "A second YAML document begins here; a file may contain only one.");
            }
            return root;
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            Place place = new Place(file, line >= 0 || at == null ? 0 : at.getLineNr());
            throw fail(place, "This is not YAML: " + firstSentence(e.getOriginalMessage()) + ".");
        } catch (IOException e) {
            throw fail(new Place(file, 0), "Cannot be read: " + e.getMessage() + ".");
        }
    }

    private ConfigNode node(Place place, JsonToken token, int depth) throws IOException {
        if (depth > DEPTH_MAX) {
            throw fail(place(), "Nested deeper than " + DEPTH_MAX + " levels.");
        }
        if (parser.isCurrentAlias()) {
            throw fail(place(), "Aliases (*" + parser.getText() + ") are not supported; write the value out.");
        }
        return switch (token) {
            case START_OBJECT -> section(place, depth);
            case START_ARRAY -> items(place, depth);
            case VALUE_NULL -> new Scalar(place, "");
            default -> new Scalar(place, parser.getText());
        };
    }

    private Section section(Place place, int depth) throws IOException {
        Map<String, ConfigNode> entries = new LinkedHashMap<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String key = parser.currentName();
            Place keyPlace = place();
            ConfigNode value = node(keyPlace, parser.nextToken(), depth + 1);
            ConfigNode before = entries.putIfAbsent(key, value);
            if (before != null) {
                throw fail(
                        keyPlace,
                        "The key " + key + " is set here and in line "
                                + before.place().line() + "; keep one of them.");
            }
        }
        return new Section(place, entries);
    }

    private Items items(Place place, int depth) throws IOException {
        List<ConfigNode> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(node(place(), token, depth + 1));
        }
        return new Items(place, items);
    }

    private Place place() {
        return new Place(
                file,
                lineOverride >= 0 ? lineOverride : parser.currentTokenLocation().getLineNr());
    }

    /** Returns the first line of the parser's message; an excerpt over several lines follows. */
    private static String firstSentence(String message) {
        String line = message.lines().findFirst().orElse("unknown");
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    private static ConfigException fail(Place place, String message) {
        return new ConfigException(List.of(place.problem("", message)));
    }
}
