package io.chimera.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.chimera.common.agent.Waits;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.NodeConfig.Role;
import io.chimera.common.config.load.ConfigLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Checks of {@code docker/} without a container engine: the configuration is valid for every node of the compose file,
 * and the files are consistent with each other.
 */
final class DockerConfigurationTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Path DOCKER = ROOT.resolve("docker");

    private static final Map<String, Object> COMPOSE = compose();
    private static final Map<String, Map<String, Object>> SERVICES = services();

    @Test
    void configurationIsValidForEveryNode() {
        Map<String, ChimeraConfig> nodes = nodes();

        assertThat(nodes.values().stream().collect(Collectors.groupingBy(DockerConfigurationTest::roleOf)))
                .hasEntrySatisfying(Role.QUEUE, queues -> assertThat(queues).hasSize(2))
                .hasEntrySatisfying(
                        Role.PROCESSOR, processors -> assertThat(processors).hasSize(3))
                .hasEntrySatisfying(Role.COORDINATOR, coordinators -> assertThat(coordinators)
                        .hasSize(1))
                .hasSize(3);
        nodes.forEach((service, config) -> {
            assertThat(config.node().id()).isEqualTo(service);
            assertThat(config.node().host())
                    .as("other nodes reach it by the name of its service")
                    .isEqualTo(service);
            assertThat(config.coordinator().runsEmbedded()).isFalse();
        });
        assertThat(nodes.values().stream().map(ChimeraConfig::digest).distinct())
                .hasSize(1);
    }

    @Test
    void everyConfigurationFileIsTheOneThatNodesRead() throws IOException {
        try (Stream<Path> files = Files.list(DOCKER.resolve("config"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("chimera.yaml");
        }
        assertThat(nodes().keySet())
                .allSatisfy(service -> assertThat(list(service, "volumes")).contains("./config:/etc/chimera:ro"));
    }

    @Test
    void nodesMeetInTheZooKeeperEnsemble() {
        String servers = environment("zk-1").get("ZOO_SERVERS");
        Set<String> connect = new TreeSet<>();
        for (int i = 1; i <= 3; i++) {
            String service = "zk-" + i;
            assertThat(environment(service))
                    .containsEntry("ZOO_MY_ID", String.valueOf(i))
                    .containsEntry("ZOO_SERVERS", servers);
            assertThat(servers).contains("server." + i + "=" + service + ":2888:3888;2181");
            connect.add(service + ":2181");
        }

        assertThat(nodes().values()).allSatisfy(config -> assertThat(
                        Set.of(config.coordinator().connect().split(",", -1)))
                .isEqualTo(connect));
    }

    @Test
    void rowsGoToTheKairosDbServiceAndFromThereToCassandra() throws IOException {
        String conf = Files.readString(DOCKER.resolve("kairosdb/cassandra.conf"));

        assertThat(nodes().values()).allSatisfy(config -> {
            URI store = URI.create(config.stores().get("kairos").url());
            assertThat(SERVICES).containsKey(store.getHost());
            assertThat(match(conf, "jetty: \\{ address: \"0\\.0\\.0\\.0\", port: (\\d+)"))
                    .isEqualTo("" + store.getPort());
        });
        assertThat(SERVICES.get(match(conf, "cql_host_list: \\[\"([^\"]+)\"]")))
                .extracting("image")
                .asString()
                .startsWith("cassandra:");
    }

    @ParameterizedTest
    @EnumSource(names = {"QUEUE", "PROCESSOR", "COORDINATOR"})
    void imageExposesWhatItsNodesListenOn(Role role) throws IOException {
        String dockerfile = dockerfile(role.name().toLowerCase(Locale.ROOT));
        ChimeraConfig config = nodes().values().stream()
                .filter(node -> roleOf(node) == role)
                .findFirst()
                .orElseThrow();

        assertThat(Set.of(match(dockerfile, "EXPOSE (.+)").split(" ", -1))).isEqualTo(listeners(config));
        assertThat(match(dockerfile, "HEALTHCHECK.*\\n *CMD (.+)"))
                .isEqualTo("[\"healthcheck\", \"127.0.0.1\", \"%d\", \"/health/live\"]"
                        .formatted(config.node().http().port()));
        assertThat(match(dockerfile, "VOLUME (.+)"))
                .isEqualTo(config.node().dataDir().toString());
        assertThat(match(dockerfile, "\nCMD (.+)"))
                .contains("\"run\", \"" + role.name().toLowerCase(Locale.ROOT) + "\"");
    }

    @Test
    void imagesOfTheNodeKindsDifferOnlyBelowTheLine() throws IOException {
        List<String> shared = new ArrayList<>();
        for (String kind : List.of("queue", "processor", "coordinator")) {
            String dockerfile = dockerfile(kind);
            shared.add(dockerfile.substring(dockerfile.indexOf("FROM"), dockerfile.indexOf("# Only this kind")));
        }

        assertThat(shared).allMatch(part -> part.equals(shared.get(0)));
    }

    @Test
    void imagesRunAsAnOrdinaryUserAndCopyWhatExists() throws IOException {
        for (String kind : List.of("queue", "processor", "coordinator", "kairosdb")) {
            String dockerfile = dockerfile(kind);
            assertThat(match(dockerfile, "USER (.+)")).isNotEqualTo("root");
            assertThat(dockerfile).contains("\nSTOPSIGNAL SIGTERM\n");
            Pattern.compile("^COPY (?!--from)(.+) \\S+$", Pattern.MULTILINE)
                    .matcher(dockerfile)
                    .results()
                    .flatMap(copy -> Stream.of(copy.group(1).split(" ", -1)))
                    .forEach(source -> assertThat(ROOT.resolve(source)).exists());
            Pattern.compile("--from=build /src/(chimera-[a-z-]+)/target/lib")
                    .matcher(dockerfile)
                    .results()
                    .forEach(copy -> assertThat(ROOT.resolve(copy.group(1)).resolve("pom.xml"))
                            .exists());
        }
    }

    @Test
    void onlyAgentsAndTheCoordinatorsStatusAreReachedAndOnlyFromThisMachine() {
        Map<String, ChimeraConfig> nodes = nodes();
        SERVICES.keySet().forEach(service -> {
            for (String port : list(service, "ports")) {
                MatchResult parts = matches(port, "127\\.0\\.0\\.1:\\d+:(\\d+)((?:/udp)?)");
                ChimeraConfig config = nodes.get(service);
                assertThat(config).as(service + " publishes " + port).isNotNull();
                Set<String> open = roleOf(config) == Role.COORDINATOR ? listeners(config) : inputs(config);
                assertThat(open).contains(parts.group(1) + parts.group(2));
            }
        });

        List<String> published = SERVICES.keySet().stream()
                .flatMap(service -> list(service, "ports").stream())
                .map(port -> port.replaceFirst("(\\d+)((?:/udp)?)$", "$2"))
                .toList();
        assertThat(published).hasSize(11).doesNotHaveDuplicates();
    }

    @Test
    void everyServiceIsBoundedWatchedAndRestarted() throws IOException {
        for (Map.Entry<String, Map<String, Object>> entry : SERVICES.entrySet()) {
            String name = entry.getKey();
            Map<String, Object> service = entry.getValue();
            assertThat(service).as(name).containsEntry("restart", "unless-stopped");
            Map<String, Object> limits =
                    map(map(map(service.get("deploy")).get("resources")).get("limits"));
            assertThat(limits).as(name).containsOnlyKeys("cpus", "memory");
            if (service.containsKey("build")) {
                Map<String, Object> build = map(service.get("build"));
                assertThat(DOCKER.resolve((String) build.get("context")).normalize())
                        .isEqualTo(ROOT);
                assertThat(Files.readString(ROOT.resolve((String) build.get("dockerfile"))))
                        .contains("\nHEALTHCHECK ");
            } else {
                assertThat(service).as(name).containsKey("healthcheck");
            }
            map(service.getOrDefault("depends_on", Map.of())).forEach((other, condition) -> {
                assertThat(SERVICES).as(name + " depends on").containsKey(other);
                assertThat(map(condition)).containsEntry("condition", "service_healthy");
            });
        }
    }

    @Test
    void everyNamedVolumeBelongsToOneService() {
        List<String> used = SERVICES.keySet().stream()
                .flatMap(service -> list(service, "volumes").stream())
                .filter(volume -> !volume.startsWith("."))
                .map(volume -> volume.substring(0, volume.indexOf(':')))
                .toList();

        assertThat(used)
                .containsExactlyInAnyOrderElementsOf(map(COMPOSE.get("volumes")).keySet());
        nodes().forEach((service, config) -> assertThat(list(service, "volumes"))
                .contains(service + ":" + config.node().dataDir()));
    }

    @Test
    void healthcheckTellsGoodFromBadAndFromNobody() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "The script is for images, all of which have bash.");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        for (int status : List.of(200, 204, 503)) {
            server.createContext("/" + status, exchange -> {
                exchange.sendResponseHeaders(status, -1);
                exchange.close();
            });
        }
        server.start();
        try {
            int port = server.getAddress().getPort();
            assertThat(healthcheck(port, "/200")).isZero();
            assertThat(healthcheck(port, "/204")).isZero();
            assertThat(healthcheck(port, "/503")).isNotZero();
            assertThat(healthcheck(port, "/404")).isNotZero();
        } finally {
            server.stop(0);
        }
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        assertThat(healthcheck(unused, "/200")).isNotZero();
    }

    private static int healthcheck(int port, String path) throws Exception {
        Process process = new ProcessBuilder(
                        DOCKER.resolve("healthcheck").toString(), "127.0.0.1", String.valueOf(port), path)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** Configuration of each Chimera node as read in its container. */
    private static Map<String, ChimeraConfig> nodes() {
        return SERVICES.keySet().stream()
                .filter(service -> environment(service).containsKey("CHIMERA_ROLE"))
                .collect(Collectors.toMap(service -> service, service -> new ConfigLoader(environment(service))
                        .load(DOCKER.resolve("config/chimera.yaml"), List.of())));
    }

    private static Role roleOf(ChimeraConfig config) {
        return config.node().role();
    }

    /** All ports of a node in the format of EXPOSE. */
    private static Set<String> listeners(ChimeraConfig config) {
        Set<String> ports = new TreeSet<>();
        add(ports, config.node().http(), "");
        if (roleOf(config) == Role.PROCESSOR) {
            add(ports, config.processor().address(), "");
        }
        if (roleOf(config) == Role.QUEUE) {
            add(ports, config.queue().address(), "");
            ports.addAll(inputs(config));
        }
        return ports;
    }

    private static Set<String> inputs(ChimeraConfig config) {
        Set<String> ports = new TreeSet<>();
        config.inputs().values().forEach(input -> {
            add(ports, input.http(), "");
            add(ports, input.tcp(), "");
            add(ports, input.udp(), "/udp");
        });
        return ports;
    }

    private static void add(Set<String> ports, Endpoint address, String suffix) {
        if (address != null) {
            assertThat(address.host())
                    .as("reachable from outside its container")
                    .isEqualTo("0.0.0.0");
            ports.add(address.port() + suffix);
        }
    }

    private static String dockerfile(String kind) throws IOException {
        return Files.readString(DOCKER.resolve(kind).resolve("Dockerfile"));
    }

    private static String match(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing matches " + pattern));
    }

    private static MatchResult matches(String text, String pattern) {
        var matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.matches()).as(text + " has the form " + pattern).isTrue();
        return matcher.toMatchResult();
    }

    private static Map<String, String> environment(String service) {
        return map(SERVICES.get(service).getOrDefault("environment", Map.of())).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> (String) entry.getValue()));
    }

    private static List<String> list(String service, String key) {
        return ((List<?>) SERVICES.get(service).getOrDefault(key, List.of()))
                .stream().map(String.class::cast).toList();
    }

    private static Map<String, Object> compose() {
        try {
            String text = Files.readString(DOCKER.resolve("compose.yaml"));
            return map(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Map<String, Object>> services() {
        return map(COMPOSE.get("services")).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> map(entry.getValue())));
    }

    @SuppressWarnings("unchecked") // mappings of a compose file have text keys
    private static Map<String, Object> map(Object yaml) {
        assertThat(yaml).isInstanceOf(Map.class);
        return (Map<String, Object>) yaml;
    }
}
