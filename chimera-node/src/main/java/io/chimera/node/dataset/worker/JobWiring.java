package io.chimera.node.dataset.worker;

import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.binding.Secrets;
import io.chimera.common.config.binding.Settings;
import io.chimera.common.plugin.PluginHost;
import io.chimera.dataset.compute.JobPipeline;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.copy.CopySource;
import io.chimera.dataset.definition.Formats;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.definition.SourceConfig;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.DefinitionDigest;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.Retries;
import io.chimera.processor.pipeline.NamedStore;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.queue.parser.InfluxLineParser;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Parts of a job made from its definition.
 *
 * @param input events of the job, with its threads for reception
 * @param pipelines makes the pipelines for a thread
 * @param settings settings of the job
 * @param pauses waits between retries
 */
public record JobWiring(
        JobInput input, Supplier<List<JobPipeline>> pipelines, JobSettings settings, Retries.Pauses pauses) {
    private static final String INFLUX = "influx";

    /**
     * Parts of the process that a job uses.
     *
     * @param source the source
     * @param copies the same source with copies nearby; empty for a job without copies
     * @param stores stores by name
     * @param plugins plugins
     * @param threads number of threads that compute
     */
    public record Surroundings(
            DataSource source,
            Optional<CopySource> copies,
            Map<String, NamedStore> stores,
            PluginHost plugins,
            int threads) {}

    /**
     * Wires a job; reads no data. The caller closes the reception.
     *
     * @param config the job
     * @param uses parts of the process
     * @param clock time of retries
     * @throws IllegalArgumentException when a value of the job is wrong
     * @throws io.chimera.common.error.ChimeraException when a pipeline names an unknown function or store
     */
    public static JobWiring of(JobConfig config, Surroundings uses, Clock clock) {
        Supplier<List<JobPipeline>> pipelines = () -> pipelines(config, uses.stores(), uses.plugins());
        pipelines(
                config, uses.stores(), uses.plugins()); // before the first split: a wrong function ends the job at once
        JobSettings settings = new JobSettings(
                definition(config),
                stores(config),
                new Windows(config.window().toNanos()),
                config.split().bytes(),
                uses.threads(),
                config.memory().bytes(),
                uses.copies()
                        .map(copies -> ReadAhead.Depth.ofBlocks(copies.blockBytes()))
                        .orElse(ReadAhead.Depth.DEFAULT));
        EventFormat format = Formats.of(config.format(), name -> parsers(name, uses.plugins()));
        Retries.Pauses pauses = pause -> Thread.sleep(pause.toMillis());
        Retries retries = new Retries(
                Retries.Limits.DEFAULT, clock, () -> ThreadLocalRandom.current().nextLong(), pauses);
        Reception reception =
                new Reception("receive", uses.threads() * settings.depth().ranges(), retries);
        return new JobWiring(
                new JobInput(
                        uses.source(),
                        config.objects(),
                        format,
                        reception,
                        new BadInput(config.onBadSplit(), config.rejects().limits()),
                        uses.copies()),
                pipelines,
                settings,
                pauses);
    }

    /**
     * Returns the rules of a job for its strategy.
     *
     * @param config the job
     */
    public static StrategyRules rules(JobConfig config) {
        return new StrategyRules(
                config.strategy(),
                config.prices().prices(),
                config.limits().limits(),
                config.copies().keepFor());
    }

    /**
     * Makes the pipelines for one thread.
     *
     * @param config the job
     * @param stores stores by name
     * @param plugins plugins
     */
    public static List<JobPipeline> pipelines(JobConfig config, Map<String, NamedStore> stores, PluginHost plugins) {
        return Pipeline.of(new TreeMap<>(config.pipelines()), stores, plugins).stream()
                .map(pipeline -> JobPipeline.of(
                        pipeline, config.pipelines().get(pipeline.name()).where()))
                .toList();
    }

    /**
     * Returns the parsers of a type.
     *
     * @param name type of the parser
     * @param plugins plugins
     * @return empty for an unknown type
     */
    public static Optional<Supplier<Parser>> parsers(String name, PluginHost plugins) {
        if (name.equals(INFLUX)) {
            return Optional.of(InfluxLineParser::new);
        }
        return plugins.context(ParserType.class, name, name, Settings.NONE)
                .flatMap(context -> plugins.parsers(name, context));
    }

    /** Returns the addresses; versions of objects in a plan are those of these addresses. */
    private static String place(SourceConfig source) {
        return source.each().stream().map(SourceConfig::place).collect(Collectors.joining(" "));
    }

    /** Returns digests of everything on which the rows of a job depend. */
    public static DefinitionDigest definition(JobConfig config) {
        return new DefinitionDigest(definition(config, ""), definition(config, config.memory() + "\n"));
    }

    private static String definition(JobConfig config, String memory) {
        return digest(String.join(
                "\n",
                place(config.source()),
                config.objects().toString(),
                config.format().toString(),
                config.window().toString(),
                config.split().toString(),
                memory + new TreeMap<>(config.pipelines())));
    }

    /** Returns a digest of the names and addresses of the stores, without secrets. */
    static String stores(JobConfig config) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(config.stores()).forEach((name, store) -> {
            text.append(name).append(' ').append(store).append('\n'); // a text without user and password
            new TreeMap<>(store.settings().asMap()).forEach((key, value) -> {
                if (!Secrets.isSecret(key)) {
                    text.append(key).append(' ').append(value).append('\n');
                }
            });
        });
        return digest(text.toString());
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
